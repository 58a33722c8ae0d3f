// Checks values that callers give against the shape that the table names for them.
#include <algorithm>

#include "api/shape.h"
#include "api/suggest.h"
#include "model/members.h"
#include "model/time_formats.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

std::string one_of(std::string_view words) {
  std::string text;
  while (true) {
    const auto end = words.find('|');
    text += words.substr(0, end);
    if (end == std::string_view::npos) return text;
    words.remove_prefix(end + 1);
    text += words.find('|') == std::string_view::npos ? " or " : ", ";
  }
}

bool is_word(std::string_view words, std::string_view word) {
  const std::string in = "|" + std::string(words) + "|";
  return !word.empty() && word.find('|') == std::string_view::npos && in.contains("|" + std::string(word) + "|");
}

// Returns "" if the value is of the type, else what it must be.
std::string_view plain_fault(std::string_view type, JsonView value) {
  const auto whole = value.as_int64();
  if (type == "string") return value.kind() == JsonKind::string ? "" : "a string";
  if (type == "integer") return whole ? "" : "an integer";
  if (type == "count") return whole && *whole >= 0 ? "" : "an integer of at least 0";
  if (type == "number") return value.as_double() ? "" : "a number";
  if (type == "boolean") return value.kind() == JsonKind::boolean ? "" : "true or false";
  if (type == "object") return value.kind() == JsonKind::object ? "" : "an object";
  if (type == "time") return parse_any_time(value.as_string().value_or("")) ? "" : "a time, as 2026-01-31T12:00:00Z";
  return {};
}

std::string unknown_member(const std::string& name, const std::vector<ShapeField>& fields, const std::string& key) {
  std::vector<std::string_view> names;
  for (const ShapeField& field : fields) names.push_back(field.name);
  std::string text = name + " has no member " + key.substr(0, 60);
  if (const auto meant = nearest(key, names)) return text + "; did you mean " + std::string(*meant) + "?";
  text += "; it takes ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == names.size() ? " and " : ", ").append(names[i]);
  return text;
}

std::string fault_in_members(const std::string& name, const Shape& shape, JsonView value) {
  if (shape.or_text && value.kind() == JsonKind::string) return fault_in(name, "string", value);
  if (value.kind() != JsonKind::object)
    return name + (shape.or_text ? " must be a string or an object" : " must be an object");
  const std::vector<ShapeField> fields = fields_of(shape.fields);
  std::vector<std::string> given;
  for (const JsonItem& item : value.fields()) {
    const std::string key = item.key(), member = std::string(name).append(".").append(key);
    const auto field = std::ranges::find(fields, key, &ShapeField::name);
    if (field == fields.end()) {
      if (shape.use == ShapeUse::closed) return unknown_member(name, fields, key);
      continue;
    }
    if (std::ranges::find(given, key) != given.end()) return member + " is given twice";
    if (item.value.is_null()) continue;
    given.push_back(key);
    if (std::string fault = fault_in(member, field->type, item.value); !fault.empty()) return fault;
    if (!field->optional && item.value.is_string("")) return member + " must not be empty";
  }
  for (const ShapeField& field : fields) {
    if (!field.optional && std::ranges::find(given, field.name) == given.end())
      return name + " needs the member " + std::string(field.name);
  }
  return {};
}

}  // namespace

std::string fault_in(const std::string& name, std::string_view type, JsonView value) {
  if (type.ends_with('?')) type.remove_suffix(1);
  if (type.ends_with("[]")) {
    if (value.kind() != JsonKind::array) return name + " must be an array";
    type.remove_suffix(2);
    std::size_t at = 0;
    for (const JsonItem& item : value.elements()) {
      std::string fault = fault_in(name + "[" + std::to_string(at++) + "]", type, item.value);
      if (!fault.empty()) return fault;
    }
    return {};
  }
  if (type.contains('|'))
    return is_word(type, value.as_string().value_or("")) ? std::string() : name + " must be " + one_of(type);
  if (const Shape* const shape = find_shape(type)) return fault_in_members(name, *shape, value);
  if (const std::string_view wanted = plain_fault(type, value); !wanted.empty())
    return name + " must be " + std::string(wanted);
  if (value.kind() == JsonKind::string && !json_string_is_text(value.raw())) return name + " " + std::string(kNoText);
  return {};
}

void integers_in(std::string_view type, JsonView value, std::vector<JsonView>& found) {
  if (type.ends_with('?')) type.remove_suffix(1);
  if (type.ends_with("[]")) {
    type.remove_suffix(2);
    for (const JsonItem& item : value.elements()) integers_in(type, item.value, found);
  } else if (type == "integer" || type == "count") {
    found.push_back(value);
  } else if (const Shape* const shape = find_shape(type)) {
    const std::vector<ShapeField> fields = fields_of(shape->fields);
    for (const JsonItem& item : value.fields()) {
      const auto field = std::ranges::find(fields, item.key(), &ShapeField::name);
      if (field != fields.end()) integers_in(field->type, item.value, found);
    }
  }
}

}  // namespace holdfast::inline v1
