// Checks JSON values against the schemas that the api prints. Supports the part of
// draft 2020-12 that shape.cc uses.
#pragma once

#include <string>

#include "api/document.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

class SchemaCheck {
 public:
  // Returns what is wrong with the answer of `method`; empty if it matches its schema.
  std::string fault(std::string_view method, JsonView answer) const {
    for (const JsonItem& one : document_.find("methods").elements()) {
      if (one.value.find("method").is_string(method)) return check(one.value.find("result"), answer, "$");
    }
    return "no such method";
  }

 private:
  static bool has_type(std::string_view type, JsonView value) {
    if (type == "string") return value.kind() == JsonKind::string;
    if (type == "integer") return value.as_int64().has_value();
    if (type == "number") return value.kind() == JsonKind::number;
    if (type == "boolean") return value.kind() == JsonKind::boolean;
    if (type == "object") return value.kind() == JsonKind::object;
    if (type == "array") return value.kind() == JsonKind::array;
    return type == "null" && value.is_null();
  }

  std::string check(JsonView schema, JsonView value, const std::string& at) const {
    if (const auto reference = schema.find("$ref").as_string())
      return check(document_.find("$defs").find(reference->substr(8)), value, at);
    if (const JsonView choices = schema.find("anyOf")) {
      std::string faults;
      for (const JsonItem& choice : choices.elements()) {
        std::string fault = check(choice.value, value, at);
        if (fault.empty()) return fault;
        faults += fault + "; ";
      }
      return faults;
    }
    if (const JsonView words = schema.find("enum")) {
      for (const JsonItem& word : words.elements()) {
        if (word.value.raw() == value.raw()) return {};
      }
      return at + " is not one of the words: " + std::string(value.raw());
    }
    if (const JsonView type = schema.find("type")) {
      bool fits = type.kind() == JsonKind::string && has_type(*type.as_string(), value);
      for (const JsonItem& one : type.elements()) fits = fits || has_type(*one.value.as_string(), value);
      if (!fits) return at + " is not " + std::string(type.raw()) + ": " + std::string(value.raw());
    }
    if (value.kind() == JsonKind::object) return check_object(schema, value, at);
    if (value.kind() == JsonKind::array) {
      std::size_t i = 0;
      for (const JsonItem& item : value.elements()) {
        std::string fault = check(schema.find("items"), item.value, at + "[" + std::to_string(i++) + "]");
        if (!fault.empty()) return fault;
      }
    }
    return {};
  }

  std::string check_object(JsonView schema, JsonView value, const std::string& at) const {
    for (const JsonItem& name : schema.find("required").elements()) {
      if (!value.find(*name.value.as_string())) return at + " has no " + *name.value.as_string();
    }
    for (const JsonItem& field : value.fields()) {
      std::string fault = check(schema.find("properties").find(field.key()), field.value, at + "." + field.key());
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string text_ = api_json();
  JsonView document_{text_};
};

}  // namespace holdfast::inline v1
