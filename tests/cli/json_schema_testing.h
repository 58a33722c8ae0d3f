// Checks a JSON value against a JSON Schema, as far as Holdfast's own schemas go. A keyword that is not known here is a
// fault, so that no schema passes because nobody looked at it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

class JsonSchema {
 public:
  explicit JsonSchema(JsonView root) : root_(root) {}

  // The first fault, with its place; empty if there is none. Members that the schema does not name are faults too,
  // although a client must accept them: our schemas are to say all that there is.
  std::string fault_in(JsonView value) const { return fault(root_, value, "$"); }

  // The first place that says only "an object"; empty if there is none.
  static std::string vague_part(JsonView schema, const std::string& at = "$") {
    if (schema.find("type").is_string("object") && !schema.find("properties")) return at;
    for (const JsonItem& field : schema.fields())
      if (std::string found = vague_part(field.value, at + "." + field.key()); !found.empty()) return found;
    return {};
  }

 private:
  static std::string_view type_of(JsonView value) {
    switch (value.kind()) {
      case JsonKind::null: return "null";
      case JsonKind::boolean: return "boolean";
      case JsonKind::string: return "string";
      case JsonKind::array: return "array";
      case JsonKind::object: return "object";
      case JsonKind::number: return value.as_int64() ? "integer" : "number";
      case JsonKind::none: break;
    }
    return "nothing";
  }
  static bool has_type(JsonView wanted, JsonView value) {
    const std::string_view type = type_of(value);
    return wanted.is_string(type) || (type == "integer" && wanted.is_string("number"));
  }
  template <typename Test>
  static bool any(JsonView array, Test test) {
    return std::ranges::any_of(array.elements(), [&](const JsonItem& item) { return test(item.value); });
  }

  std::string fault(JsonView schema, JsonView value, const std::string& at) const {
    for (const JsonItem& keyword : schema.fields()) {
      const JsonView wanted = keyword.value;
      std::string found;
      if (keyword.key_is("type")) {
        const bool fits = wanted.kind() == JsonKind::array
                              ? any(wanted, [&](JsonView one) { return has_type(one, value); })
                              : has_type(wanted, value);
        if (!fits) found = at + " must be " + std::string(wanted.raw()) + ", not " + std::string(value.raw());
      } else if (keyword.key_is("enum")) {
        if (!any(wanted, [&](JsonView one) { return one.raw() == value.raw(); }))
          found = at + " must be one of " + std::string(wanted.raw()) + ", not " + std::string(value.raw());
      } else if (keyword.key_is("minimum")) {
        if (value.kind() == JsonKind::number && value.as_double() < wanted.as_double())
          found = at + " is less than " + std::string(wanted.raw());
      } else if (keyword.key_is("format")) {
        const std::string text = value.as_string().value_or("");
        if (!wanted.is_string("date-time"))
          found = at + " has an unknown format";
        else if (!value.is_null() && (text.size() < 20 || text[10] != 'T'))
          found = at + " must be a time, not " + text;
      } else if (keyword.key_is("required")) {
        for (const JsonItem& name : wanted.elements())
          if (!value.find(name.value.as_string().value_or(""))) found = at + " lacks " + std::string(name.value.raw());
      } else if (keyword.key_is("properties")) {
        for (const JsonItem& member : value.fields()) {
          const JsonView known = wanted.find(member.key());
          found = known ? fault(known, member.value, at + "." + member.key())
                        : at + " has a member that is not declared: " + member.key();
          if (!found.empty()) break;
        }
      } else if (keyword.key_is("items")) {
        for (const JsonItem& element : value.elements())
          if (found = fault(wanted, element.value, at + "[]"); !found.empty()) break;
      } else if (keyword.key_is("anyOf")) {
        if (!any(wanted, [&](JsonView one) { return fault(one, value, at).empty(); }))
          found = at + " fits none of " + std::string(wanted.raw());
      } else if (keyword.key_is("$ref")) {
        constexpr std::string_view kHere = "#/$defs/";
        const std::string name = wanted.as_string().value_or("");
        const JsonView shape =
            name.starts_with(kHere) ? root_.find("$defs").find(name.substr(kHere.size())) : JsonView();
        found = shape ? fault(shape, value, at) : at + " refers to nothing: " + name;
      } else if (!keyword.key_is("$defs") && !keyword.key_is("additionalProperties")) {
        // additionalProperties may only say false, and undeclared members are faults in any case.
        found = at + " has an unknown keyword: " + keyword.key();
      }
      if (!found.empty()) return found;
    }
    return {};
  }

  JsonView root_;
};

}  // namespace holdfast::inline v1
