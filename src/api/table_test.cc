// The table is complete: every operation describes itself, its parameters and its answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "api/document.h"
#include "api/shape.h"
#include "base/paths_testing.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

TEST(Table, NamesAreUniqueAndWellFormed) {
  std::set<std::string_view> names;
  for (const Operation& operation : operations()) {
    EXPECT_TRUE(names.insert(operation.method).second) << operation.method;
    for (const SeedName& alias : operation.aliases) {
      EXPECT_TRUE(names.insert(alias.name).second) << alias.name;
      const auto parameters = parameters_of(operation);
      for (const SeedName::Word& word : alias.parameters) {
        EXPECT_TRUE(std::ranges::any_of(parameters, [&](const Parameter& one) { return one.name == word.ours; }))
            << alias.name << " " << word.seed;
      }
    }
    for (const char c : operation.method)
      EXPECT_TRUE(c == '.' || c == '_' || (c >= 'a' && c <= 'z')) << operation.method;
    EXPECT_EQ(find_operation(operation.method), &operation);
  }
}

TEST(Table, EveryOperationIsDescribed) {
  for (const Operation& operation : operations()) {
    EXPECT_NE(operation.handler, nullptr) << operation.method;
    EXPECT_FALSE(operation.help.empty()) << operation.method;
    EXPECT_FALSE(operation.help.ends_with('.')) << operation.method;
    EXPECT_FALSE(operation.result.empty()) << operation.method;
    EXPECT_FALSE(errors_of(operation).empty()) << operation.method;
    std::set<std::string_view> names;
    bool optional_position = false;
    for (const Parameter& parameter : parameters_of(operation)) {
      EXPECT_TRUE(names.insert(parameter.name).second) << operation.method << " " << parameter.name;
      EXPECT_FALSE(parameter.help.empty()) << operation.method << " " << parameter.name;
      if (!parameter.positional) continue;
      EXPECT_FALSE(parameter.required && optional_position) << operation.method << ": cannot be told apart";
      optional_position = optional_position || !parameter.required;
    }
    if (!operation.verb().empty() && operation.noun() != "events") {
      EXPECT_TRUE(operation.example.starts_with(operation.command.empty() ? operation.noun() : operation.command))
          << operation.method;
    }
  }
}

TEST(Table, DestructiveOperationsAreMarked) {
  for (const Operation& operation : operations()) {
    const bool removes = operation.verb() == "delete" || operation.verb() == "remove" || operation.verb() == "prune" ||
                         operation.method == "session.clear" || operation.method == "session.trash" ||
                         operation.method == "initiative.archive" ||  // removes the folder and the state
                         operation.method == "session.mend" ||        // replaces a file of another agent
                         operation.method == "session.forget" || operation.method == "session.scrub" ||
                         operation.verb() == "install" || operation.verb() == "uninstall";  // edit an agent's settings
    EXPECT_EQ(removes, operation.destructive()) << operation.method;
    EXPECT_TRUE(!removes || operation.writes()) << operation.method;
  }
}

TEST(Table, EveryOperationIsACallAListOrAStream) {
  const std::string text = api_json();
  std::map<std::string, int> kinds;
  for (const JsonItem& one : JsonView(text).find("methods").elements()) {
    const Operation* const operation = find_operation(one.value.find("method").as_string().value_or(""));
    ASSERT_NE(operation, nullptr);
    const std::string kind = one.value.find("kind").as_string().value_or("");
    EXPECT_EQ(kind, kind_name(operation->kind())) << operation->method;
    ++kinds[kind];
    const bool cursor = static_cast<bool>(one.value.find("params").find("properties").find("cursor"));
    const bool next = static_cast<bool>(one.value.find("result").find("properties").find("next_cursor"));
    EXPECT_EQ(cursor, kind == "list") << operation->method;
    EXPECT_EQ(next, kind == "list") << operation->method;
    EXPECT_EQ(static_cast<bool>(one.value.find("item")), kind == "stream" || !operation->streamed.empty())
        << operation->method;
  }
  EXPECT_EQ(kinds.size(), 3U);
  EXPECT_EQ(find_operation("message.list")->kind(), OperationKind::list);
  EXPECT_EQ(find_operation("session.list")->kind(), OperationKind::list);
  EXPECT_EQ(find_operation("session.follow")->kind(), OperationKind::stream);
  EXPECT_EQ(find_operation("session.get")->kind(), OperationKind::call);
}

TEST(Table, EveryListIsPagedAndHasATotal) {
  for (const Operation& operation : operations()) {
    if (operation.kind() == OperationKind::list) {
      EXPECT_NE(operation.result.find("total:integer"), std::string_view::npos) << operation.method;
      EXPECT_NE(operation.result.find("next:integer?"), std::string_view::npos) << operation.method;
    }
    if (operation.verb() != "list" && operation.verb() != "children") continue;
    EXPECT_EQ(operation.kind(), OperationKind::list) << operation.method;
    std::set<std::string_view> names;
    for (const Parameter& parameter : operation.parameters) names.insert(parameter.name);
    EXPECT_TRUE(names.contains("limit") && names.contains("skip")) << operation.method;
    EXPECT_NE(operation.result.find("total:integer"), std::string_view::npos) << operation.method;
    EXPECT_NE(operation.result.find("next:integer?"), std::string_view::npos) << operation.method;
  }
}

TEST(Table, UnknownMethodsGetAHint) {
  EXPECT_EQ(find_operation("session.lst"), nullptr);
  EXPECT_EQ(unknown_method("session.lst").message, "there is no method session.lst; did you mean session.list?");
  EXPECT_EQ(unknown_method("frobnicate").message, "there is no method frobnicate");
  EXPECT_EQ(find_operation("mark_session_ended")->method, "session.end");
}

void collect_references(JsonView value, std::set<std::string>& found) {
  for (const JsonItem& item : value.fields()) {
    if (item.key_is("$ref")) found.insert(item.value.as_string().value_or(""));
    collect_references(item.value, found);
  }
  for (const JsonItem& item : value.elements()) collect_references(item.value, found);
}

TEST(ApiDocument, AllReferencesResolve) {
  const std::string text = api_json();
  ASSERT_TRUE(check_json(text).ok());
  const JsonView document(text);
  std::set<std::string> references;
  collect_references(document, references);
  EXPECT_GE(references.size(), 5U);
  for (const std::string& reference : references) {
    ASSERT_TRUE(reference.starts_with("#/$defs/")) << reference;
    EXPECT_TRUE(document.find("$defs").find(reference.substr(8))) << reference;
  }
  std::size_t methods = 0;
  for (const JsonItem& method : document.find("methods").elements()) {
    ++methods;
    EXPECT_EQ(method.value.find("params").find("type").as_string(), "object");
    EXPECT_EQ(method.value.find("params").find("additionalProperties").as_bool(), false);
    EXPECT_TRUE(method.value.find("result").find("properties").find("schema_version"));
  }
  EXPECT_EQ(methods, operations().size());
}

TEST(ApiDocument, WritesShapesAsJsonSchema) {
  JsonWriter json;
  write_schema(json, "id:string at:time? n?:integer kind:a|b list:session[] s:session? any:any");
  EXPECT_EQ(json.text(),
            R"({"type":"object","properties":{"id":{"type":"string"},)"
            R"("at":{"type":["string","null"],"format":"date-time"},"n":{"type":"integer"},"kind":{"enum":["a","b"]},)"
            R"("list":{"type":"array","items":{"$ref":"#/$defs/session"}},)"
            R"("s":{"anyOf":[{"$ref":"#/$defs/session"},{"type":"null"}]},"any":{}},)"
            R"("required":["id","at","kind","list","s","any"]})");
}

TEST(ApiDocument, ApiMarkdownIsUpToDate) {
  std::ifstream file(paths::source() + "/docs/api.md", std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), api_markdown())
      << "holdfast api --markdown > docs/api.md";
}

}  // namespace
}  // namespace holdfast::inline v1
