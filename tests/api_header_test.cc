// include/holdfast/api.h is generated from the table of operations: a struct for each request, answer and shape, and
// a function for each operation except streams. If HOLDFAST_WRITE_API_HEADER is set, the test writes the file.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/shape.h"
#include "src/base/paths_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kHead =
    R"(// Every operation of docs/api.md, typed. Made from the table in src/api by tests/api_header_test.cc, which
// compares the two; do not edit.
//
// A request names what is given; empty optionals are left out. An answer has the fields that the table promises;
// Client::call gives all of it. Errors are those of docs/api.md; internal: an answer that is not what the table says.
// Thread-safety and durability: as Client.
#pragma once

#include <holdfast/api_value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// clang-format off
namespace holdfast::inline v1::api {
)";

struct Member {
  std::string type, name, note;
};

std::string camel(std::string_view name) {
  std::string out;
  bool up = true;
  for (const char c : name) {
    const bool gap = c == '_' || c == '.';
    if (!gap) out += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = gap;
  }
  return out;
}

std::string function_name(std::string_view method) {
  std::string out(method);
  for (char& c : out) c = c == '.' ? '_' : c;
  return out;
}

// Appends '_' to keywords of C++ that the table uses as names; api_value.h removes it again.
std::string member_name(std::string_view name) {
  static const std::set<std::string_view> words = {
      "and",      "auto",      "bool",     "break",  "case",     "catch",   "char",    "class",     "const",
      "continue", "default",   "delete",   "do",     "double",   "else",    "enum",    "explicit",  "export",
      "false",    "float",     "for",      "friend", "goto",     "if",      "inline",  "int",       "long",
      "mutable",  "namespace", "new",      "not",    "operator", "or",      "private", "protected", "public",
      "register", "requires",  "return",   "short",  "signed",   "sizeof",  "static",  "struct",    "switch",
      "template", "this",      "throw",    "true",   "try",      "typedef", "union",   "unsigned",  "using",
      "virtual",  "void",      "volatile", "while",  "xor"};
  return std::string(name) + (words.contains(name) ? "_" : "");
}

std::string plain_type(std::string_view type) {
  if (type.ends_with("[]")) return "std::vector<" + plain_type(type.substr(0, type.size() - 2)) + ">";
  if (type == "string" || type == "time" || type.contains('|')) return "std::string";
  if (type == "integer") return "std::int64_t";
  if (type == "number") return "double";
  if (type == "boolean") return "bool";
  if (type == "object" || type == "any" || type == "array") return "Json";
  return camel(type);
}

std::string note_of(std::string_view type) {
  while (type.ends_with('?') || type.ends_with(']') || type.ends_with('[')) type.remove_suffix(1);
  return type.contains('|') || type == "time" ? std::string(type) : "";
}

Member member_of(const ShapeField& field) {
  std::string_view type = field.type;
  const bool nullable = type.ends_with('?');
  if (nullable) type.remove_suffix(1);
  std::string spelled = plain_type(type);
  if (nullable || field.optional) spelled = "std::optional<" + spelled + ">";
  return {spelled, member_name(field.name), note_of(field.type)};
}

// Values that callers may write in several ways stay JSON.
bool has_struct(const Shape* shape) { return shape != nullptr && shape->use == ShapeUse::answered; }

Member member_of(const Parameter& parameter) {
  std::string type =
      has_struct(find_shape(parameter.shape)) ? camel(parameter.shape) : plain_type(param_type_name(parameter.type));
  if (parameter.rest) type = "std::vector<std::string>";
  if (!parameter.required) type = "std::optional<" + type + ">";
  return {type, member_name(parameter.name), std::string(parameter.help)};
}

std::string structure(const std::string& name, const std::vector<Member>& members) {
  std::string out = "\nstruct " + name + " {\n";
  std::string names;
  for (const Member& member : members) {
    out +=
        "  " + member.type + " " + member.name + " = {};" + (member.note.empty() ? "" : "  // " + member.note) + "\n";
    names += (names.empty() ? "" : ", ") + member.name;
  }
  return out + "  HOLDFAST_API_FIELDS(" + names + ")\n};\n";
}

std::vector<Member> members_of(std::string_view fields) {
  std::vector<Member> members;
  for (const ShapeField& field : fields_of(fields)) members.push_back(member_of(field));
  return members;
}

// Adds a shape after the shapes that it consists of.
void add_shape(const Shape& shape, std::set<std::string_view>& done, std::string& out) {
  if (!done.insert(shape.name).second) return;
  for (const ShapeField& field : fields_of(shape.fields)) {
    for (const Shape& other : shapes()) {
      if (field.type.starts_with(other.name) &&
          field.type.find_first_not_of("?[]", other.name.size()) == std::string_view::npos)
        add_shape(other, done, out);
    }
  }
  out += structure(camel(shape.name), members_of(shape.fields));
}

std::string header() {
  std::string out(kHead);
  std::set<std::string_view> done;
  for (const Shape& shape : shapes())
    if (has_struct(&shape)) add_shape(shape, done, out);
  for (const Operation& operation : operations()) {
    if (operation.kind() == OperationKind::stream) continue;  // Client::stream
    std::vector<Member> members;
    bool needed = false;
    for (const Parameter& parameter : parameters_of(operation)) {
      if (parameter.name == "dry_run") continue;  // a dry run has another answer
      members.push_back(member_of(parameter));
      needed = needed || parameter.required;
    }
    const std::string name = camel(operation.method);
    out += structure(name + "Request", members) + structure(name + "Answer", members_of(result_of(operation)));
    out += "\n// " + std::string(operation.help) + "\n";
    out += "inline Result<" + name + "Answer> " + function_name(operation.method) +
           "(Client& client, const Context& context, const " + name + "Request& request" + (needed ? "" : " = {}") +
           ") {\n  return call<" + name + "Answer>(client, context, \"" + std::string(operation.method) +
           "\", request);\n}\n";
  }
  return out + "\n}  // namespace holdfast::inline v1::api\n// clang-format on\n";
}

TEST(ApiHeader, MatchesTheOperationTable) {
  const std::string path = paths::source() + "/include/holdfast/api.h";
  if (::getenv("HOLDFAST_WRITE_API_HEADER") != nullptr) std::ofstream(path, std::ios::binary) << header();
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), header())
      << "HOLDFAST_WRITE_API_HEADER=1 build/release/system_test --gtest_filter='ApiHeader.*' writes it anew";
}

}  // namespace
}  // namespace holdfast::inline v1
