// The part of JSON Schema that the schemas of this repository use, for tests: type,
// properties, required, additionalProperties: false, items, minItems, minLength,
// minimum, enum, const, pattern, oneOf, allOf and $ref into the same document.
// Any other keyword is an error, because it would not be checked.
#pragma once

#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

class SchemaChecker {
 public:
  // `schema` must outlive this object.
  explicit SchemaChecker(JsonView schema) : root_(schema) {}

  // The faults, each with its place; empty if the value is valid.
  std::vector<std::string> check(JsonView value) const {
    std::vector<std::string> faults;
    look(root_, value, "", faults);
    return faults;
  }

 private:
  using Faults = std::vector<std::string>;

  static bool is_type(std::string_view type, JsonView value) {
    switch (value.kind()) {
      case JsonKind::object: return type == "object";
      case JsonKind::array: return type == "array";
      case JsonKind::string: return type == "string";
      case JsonKind::boolean: return type == "boolean";
      case JsonKind::null: return type == "null";
      case JsonKind::number: return type == "number" || (type == "integer" && value.as_int64());
      case JsonKind::none: break;
    }
    return false;
  }

  static bool is_any_type(JsonView types, JsonView value) {
    if (types.kind() == JsonKind::string) return is_type(*types.as_string(), value);
    for (const JsonItem& type : types.elements()) {
      if (is_type(type.value.as_string().value_or(""), value)) return true;
    }
    return false;
  }

  JsonView target(JsonView reference) const {
    std::string rest = reference.as_string().value_or("").substr(1);
    JsonView at = root_;
    while (!rest.empty()) {
      const std::size_t slash = rest.find('/', 1);
      at = at.find(rest.substr(1, slash == std::string::npos ? slash : slash - 1));
      rest = slash == std::string::npos ? "" : rest.substr(slash);
    }
    return at;
  }

  void look_at_object(JsonView schema, JsonView value, const std::string& place, Faults& faults) const {
    const JsonView properties = schema.find("properties");
    std::set<std::string> seen;
    for (const JsonItem& field : value.fields()) {
      const std::string key = field.key();
      if (!seen.insert(key).second) faults.push_back(place + ": twice: " + key);
      if (const JsonView rule = properties.find(key))
        look(rule, field.value, place + "/" + key, faults);
      else if (schema.find("additionalProperties").as_bool() == false)
        faults.push_back(place + ": not allowed: " + key);
    }
    const JsonView required = schema.find("required");
    for (const JsonItem& key : required.elements()) {
      const std::string name = key.value.as_string().value_or("");
      if (!seen.contains(name)) faults.push_back(place + ": missing: " + name);
    }
  }

  void look_at_array(JsonView schema, JsonView value, const std::string& place, Faults& faults) const {
    std::int64_t count = 0;
    for (const JsonItem& item : value.elements()) {
      if (const JsonView rule = schema.find("items"))
        look(rule, item.value, place + "/" + std::to_string(count), faults);
      ++count;
    }
    if (count < schema.find("minItems").as_int64().value_or(0)) faults.push_back(place + ": too few");
  }

  void look_at_scalar(JsonView schema, JsonView value, const std::string& place, Faults& faults) const {
    if (const auto least = schema.find("minimum").as_double(); least && value.as_double().value_or(*least) < *least)
      faults.push_back(place + ": too small");
    const std::string text = value.as_string().value_or("");
    if (const auto pattern = schema.find("pattern").as_string();
        pattern && value.kind() == JsonKind::string && !std::regex_search(text, std::regex(*pattern)))
      faults.push_back(place + ": not of the form " + *pattern);
    if (std::ssize(text) < schema.find("minLength").as_int64().value_or(0) && value.kind() == JsonKind::string)
      faults.push_back(place + ": too short");
  }

  void look_at_choices(JsonView schema, JsonView value, const std::string& place, Faults& faults) const {
    if (const JsonView fixed = schema.find("const"); fixed && fixed.raw() != value.raw())
      faults.push_back(place + ": is not " + std::string(fixed.raw()));
    if (const JsonView words = schema.find("enum")) {
      bool found = false;
      for (const JsonItem& word : words.elements()) found = found || word.value.raw() == value.raw();
      if (!found) faults.push_back(place + ": is none of " + std::string(words.raw()));
    }
    const JsonView all = schema.find("allOf");
    for (const JsonItem& rule : all.elements()) look(rule.value, value, place, faults);
    if (const JsonView one = schema.find("oneOf")) {
      int fits = 0;
      Faults why;
      for (const JsonItem& rule : one.elements()) {
        Faults mine;
        look(rule.value, value, place, mine);
        if (mine.empty()) ++fits;
        why.insert(why.end(), mine.begin(), mine.end());
      }
      if (fits == 0) faults.insert(faults.end(), why.begin(), why.end());
      if (fits > 1) faults.push_back(place + ": fits more than one of oneOf");
    }
  }

  void look(JsonView schema, JsonView value, const std::string& place, Faults& faults) const {
    static const std::set<std::string> kKnown = {"$schema",  "$defs",    "$ref",      "title",   "type",
                                                 "items",    "minItems", "minLength", "minimum", "properties",
                                                 "required", "pattern",  "const",     "enum",    "additionalProperties",
                                                 "oneOf",    "allOf"};
    for (const JsonItem& rule : schema.fields()) {
      if (!kKnown.contains(rule.key())) faults.push_back("this checker does not know the keyword " + rule.key());
    }
    if (const JsonView reference = schema.find("$ref")) look(target(reference), value, place, faults);
    if (const JsonView type = schema.find("type"); type && !is_any_type(type, value)) {
      faults.push_back(place + ": is no " + std::string(type.raw()));
      return;
    }
    look_at_choices(schema, value, place, faults);
    if (value.kind() == JsonKind::object) look_at_object(schema, value, place, faults);
    if (value.kind() == JsonKind::array) look_at_array(schema, value, place, faults);
    look_at_scalar(schema, value, place, faults);
  }

  JsonView root_;
};

}  // namespace holdfast::inline v1
