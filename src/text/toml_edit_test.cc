#include "text/toml_edit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "text/json_value.h"
#include "text/toml_testing.h"
#include "text/toml_value.h"
#include "text/yaml_testing.h"

namespace holdfast {
namespace {

using Path = std::vector<JsonStep>;

std::string text_of(const Result<std::string>& result) { return result ? *result : result.error().text(); }

struct Case {
  std::string doc;
  Path path;
  std::string value;
  std::string want;
};

const std::string kConfig =
    "# top\n\"\xC3\xA9\" = 'x'   # \xC3\xA9\nlist = [1,\n  2, # two\n] # l\n\n# the server\n[server]\n  port = 80  # "
    "p\n"
    "  host.name = \"h\"\n\n[[models]]\nid = \"a\"\n\n[[models]]\nid = \"b\"\nopts = { x = 1 } # o\n\n[deep.er]\nk = "
    "1\n";

std::string changed(std::string_view from, std::string_view to) {
  std::string out = kConfig;
  return out.replace(out.find(from), from.size(), to);
}

TEST(TomlEdit, set_replaces_one_value) {
  const std::vector<Case> cases = {
      {kConfig, {"\xC3\xA9"}, "\"y\"", changed("'x'", "\"y\"")},
      {kConfig, {"list"}, "[]", changed("[1,\n  2, # two\n]", "[]")},
      {kConfig, {"list", 1}, "3", changed("[1,\n  2, # two\n]", "[1, 3]")},
      {kConfig, {"server", "port"}, "81", changed("80  #", "81  #")},
      {kConfig, {"server", "host", "name"}, "\"i\"", changed("\"h\"", "\"i\"")},
      {kConfig, {"models", 1, "id"}, "\"c\"", changed("\"b\"", "\"c\"")},
      {kConfig, {"models", 1, "opts", "y"}, "true", changed("{ x = 1 }", "{ x = 1, y = true }")},
      {"a = 1\r\nb = 2", {"b"}, "{\"k\":[1]}", "a = 1\r\nb = { k = [1] }"},
      {"\xEF\xBB\xBF"
       "a = 1\n",
       {"a"},
       "2",
       "\xEF\xBB\xBF"
       "a = 2\n"},
  };
  for (const auto& [doc, path, value, want] : cases) EXPECT_EQ(want, text_of(toml_set(doc, path, value)));
}

TEST(TomlEdit, missing_key_is_added_to_its_table) {
  const std::vector<Case> cases = {
      {kConfig, {"new"}, "1", changed("] # l\n", "] # l\nnew = 1\n")},
      {kConfig, {"server", "new"}, "1", changed("\"h\"\n", "\"h\"\n  new = 1\n")},
      {kConfig, {"models", 0, "new"}, "1", changed("\"a\"\n", "\"a\"\nnew = 1\n")},
      {kConfig, {"server", "host", "port"}, "1", changed("\"h\"\n", "\"h\"\n  host.port = 1\n")},
      {kConfig, {"deep", "er", "l"}, "2", kConfig + "l = 2\n"},
      {kConfig, {"deep", "l"}, "2", kConfig + "\n[deep]\nl = 2\n"},
      {kConfig, {"fresh", "table", "l"}, "2", kConfig + "\n[fresh.table]\nl = 2\n"},
      {kConfig, {"models", 0, "sub", "k"}, "1", changed("\"a\"\n", "\"a\"\nsub.k = 1\n")},
      {"", {"a"}, "1", "a = 1\n"},
      {"# c\n", {"a"}, "1", "# c\na = 1\n"},
      {"# c\n\n# t\n[t]\n", {"a"}, "1", "# c\n\na = 1\n# t\n[t]\n"},
      {"[t]\n[u]\n", {"t", "a b"}, "1", "[t]\n\"a b\" = 1\n[u]\n"},
      {"a = 1", {"b"}, "1", "a = 1\nb = 1"},
      {"a = 1\r\n[t]\r\nb = 1", {"c"}, "2", "a = 1\r\nc = 2\r\n[t]\r\nb = 1"},
      {"a.b = 1\n", {"a", "c", "d"}, "2", "a.b = 1\n\n[a.c]\nd = 2\n"},
  };
  for (const auto& [doc, path, value, want] : cases) EXPECT_EQ(want, text_of(toml_set(doc, path, value)));
}

TEST(TomlEdit, setting_equal_value_changes_nothing) {
  EXPECT_EQ(kConfig, text_of(toml_set(kConfig, {"\xC3\xA9"}, "\"\\u0078\"")));
  EXPECT_EQ(kConfig, text_of(toml_set(kConfig, {"list"}, "[ 1, 2 ]")));
  EXPECT_EQ(kConfig, text_of(toml_set(kConfig, {"models", 1}, R"({"opts":{"x":1},"id":"b"})")));
}

TEST(TomlEdit, rejects_impossible_edits) {
  const auto code = [](const Result<std::string>& result) {
    return result ? "done: " + *result : std::string(code_name(result.error().code));
  };
  EXPECT_EQ("unsupported", code(toml_set(kConfig, {"server"}, "{}")));
  EXPECT_EQ("unsupported", code(toml_set(kConfig, {"models", 2}, "{}")));
  EXPECT_EQ("unsupported", code(toml_set(kConfig, {"list"}, "null")));
  EXPECT_EQ("not_found", code(toml_set(kConfig, {"list", 7}, "1")));
  EXPECT_EQ("schema_mismatch", code(toml_set(kConfig, {"list", "k"}, "1")));
  EXPECT_EQ("invalid_argument", code(toml_set(kConfig, {"list"}, "[")));
  EXPECT_EQ("invalid_argument", code(toml_set(kConfig, JsonPath(), "1")));
  EXPECT_EQ("corrupt", code(toml_set("a = ", {"a"}, "1")));
}

TEST(TomlEdit, remove_deletes_only_the_key) {
  const auto removed = [](std::string_view doc, const Path& path) { return text_of(toml_remove(doc, JsonPath(path))); };
  EXPECT_EQ(removed(kConfig, {"list"}), changed("list = [1,\n  2, # two\n] # l\n", ""));
  EXPECT_EQ(removed(kConfig, {"list", 0}), changed("[1,\n  2, # two\n]", "[2]"));
  EXPECT_EQ(removed(kConfig, {"server", "port"}), changed("  port = 80  # p\n", ""));
  EXPECT_EQ(removed(kConfig, {"server", "host"}), changed("  host.name = \"h\"\n", ""));
  EXPECT_EQ(removed(kConfig, {"server", "host", "name"}), changed("  host.name = \"h\"\n", ""));
  EXPECT_EQ(removed(kConfig, {"server"}), changed("[server]\n  port = 80  # p\n  host.name = \"h\"\n", ""))
      << "the comment above it stays";
  EXPECT_EQ(removed(kConfig, {"models", 0}), changed("[[models]]\nid = \"a\"\n", ""));
  EXPECT_EQ(removed(kConfig, {"models", 1, "opts", "x"}), changed("{ x = 1 }", "{}"));
  EXPECT_EQ(removed(kConfig, {"models", 1, "opts"}), changed("opts = { x = 1 } # o\n", ""));
  EXPECT_EQ(removed(kConfig, {"deep"}), changed("[deep.er]\nk = 1\n", ""));
  EXPECT_EQ(removed(kConfig, {"deep", "er", "k"}), changed("k = 1\n", ""));
  EXPECT_EQ(removed("[a]\nx = 1\n[b]\ny = 1\n[a.c]\nz = 1\n# end\n", {"a"}), "[b]\ny = 1\n# end\n");
  EXPECT_EQ(removed("a = 1\r\nb = 2", {"a"}), "b = 2");
  EXPECT_EQ(removed("a = 1\nb = 2", {"b"}), "a = 1\n");
  EXPECT_EQ(removed(kConfig, {"none"}), kConfig);
  EXPECT_EQ(removed(kConfig, {"server", "none", "k"}), kConfig);
  EXPECT_EQ(toml_remove(kConfig, JsonPath()).error().code, Code::invalid_argument);
  EXPECT_EQ(toml_remove("a = ", {"a"}).error().code, Code::corrupt);
}

RC_GTEST_PROP(TomlEditProperty, remove_leaves_everything_else, ()) {
  const std::string json = nasty_json_object(3, false);
  const std::string toml = "# top\n\n" + json_to_toml(JsonView(json)).value() + "# end\n";
  std::vector<std::string> names;
  for (const JsonItem& item : JsonView(json).fields()) names.push_back(item.key());
  if (names.empty()) return;
  const std::string key = nasty_pick(names);
  const Result<std::string> edited = toml_remove(toml, {JsonStep(key)});
  RC_ASSERT(edited.has_value());
  RC_ASSERT(sorted_json(JsonView(toml_to_json(*edited).value())) ==
            sorted_json(JsonView(json_remove(json, {JsonStep(key)}).value())));
  RC_ASSERT(edited->starts_with("# top\n"));
  RC_ASSERT(edited->ends_with("# end\n"));
  RC_ASSERT(toml_remove(*edited, {JsonStep(key)}).value() == *edited);
}

RC_GTEST_PROP(TomlEditProperty, set_is_found_and_changes_nothing_else, ()) {
  const std::string json = nasty_json_object(3, false);
  const std::string toml = "# top\n\n" + json_to_toml(JsonView(json)).value() + "# end\n";
  std::vector<std::string> keys;
  JsonView view(json);
  for (int left = *rc::gen::inRange(1, 4); left > 0 && view.kind() == JsonKind::object; --left) {
    std::vector<std::string> names = {"new"};
    for (const JsonItem& item : view.fields()) names.push_back(item.key());
    keys.push_back(nasty_pick(names));
    view = view.find(keys.back());
    if (!view) break;
  }
  const std::vector<JsonStep> path(keys.begin(), keys.end());
  const std::string value = nasty_json(2, false);
  const Result<std::string> edited = toml_set(toml, path, value);
  if (!edited) {  // a table with its own headers is there
    RC_ASSERT(edited.error().code == Code::unsupported);
    RC_ASSERT((view.kind() == JsonKind::object || view.kind() == JsonKind::array));
    return;
  }
  RC_ASSERT(sorted_json(JsonView(toml_to_json(*edited).value())) ==
            sorted_json(JsonView(json_set(json, path, value).value())));
  RC_ASSERT(edited->starts_with("# top\n\n"));
  RC_ASSERT(edited->find("# end\n") != std::string::npos);
  RC_ASSERT(toml_set(*edited, path, value).value() == *edited);
}

}  // namespace
}  // namespace holdfast
