#include "api/validate.h"

#include <algorithm>
#include <set>

#include "api/shape.h"
#include "api/suggest.h"
#include "model/members.h"
#include "text/article.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

Failure wrong(const Operation& operation, std::string message) {
  return fail(Code::invalid_argument, std::string(operation.method) + ": " + std::move(message));
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

bool fits(ParamType type, JsonView value) {
  switch (type) {
    case ParamType::string: return value.kind() == JsonKind::string;
    case ParamType::integer: return value.as_int64().has_value();
    case ParamType::number: return value.as_double().has_value();
    case ParamType::boolean: return value.kind() == JsonKind::boolean;
    case ParamType::object: return value.kind() == JsonKind::object;
    case ParamType::array: return value.kind() == JsonKind::array;
    case ParamType::any: return true;
  }
  return false;
}

// Whether every key in the value is valid text: a key that becomes the name of a field must not change its spelling.
bool names_are_text(JsonView value) {
  if (value.kind() == JsonKind::object) {
    const auto fields = value.fields();
    return std::ranges::all_of(
        fields, [](const JsonItem& item) { return json_string_is_text(item.raw_key) && names_are_text(item.value); });
  }
  if (value.kind() != JsonKind::array) return true;
  const auto elements = value.elements();
  return std::ranges::all_of(elements, [](const JsonItem& item) { return names_are_text(item.value); });
}

// What names a thing, or the text to look for: an empty one (an unset variable in a script) would mean every thing.
bool may_be_empty(const Parameter& parameter) { return parameter.name != "id" && parameter.name != "match"; }

Result<void> check_shape(const Operation& operation, const Parameter& parameter, JsonView value) {
  if (parameter.shape.empty()) return {};
  const std::string type = checked_type(parameter);
  if (type.empty()) return {};
  if (std::string fault = fault_in(std::string(parameter.name), type, value); !fault.empty())
    return wrong(operation, std::move(fault));
  return {};
}

Result<void> check_value(const Operation& operation, const Parameter& parameter, JsonView value) {
  const std::string name(parameter.name);
  if (!fits(parameter.type, value))
    return wrong(operation, name + " must be " + with_article(param_type_name(parameter.type)));
  if (parameter.type == ParamType::string && !json_string_is_text(value.raw()))
    return wrong(operation, name + " " + std::string(kNoText));
  if (value.is_string("") && !may_be_empty(parameter)) return wrong(operation, name + " must not be empty");
  // The message operations keep such a key verbatim, or refuse it themselves.
  if (parameter.type == ParamType::object && !operation.method.starts_with("message.") && !names_are_text(value))
    return wrong(operation, name + " has a key that " + std::string(kNoText));
  HOLDFAST_TRY(check_shape(operation, parameter, value));
  if (!parameter.words.empty()) {
    const std::string word = value.as_string().value_or("");
    if (std::ranges::find(parameter.words, word) == parameter.words.end())
      return wrong(operation, name + " must be " + listed(parameter.words) + ", not \"" + word.substr(0, 60) + "\"");
  }
  if (parameter.least && value.as_int64().value_or(0) < *parameter.least)
    return wrong(operation, name + " must be at least " + std::to_string(*parameter.least));
  return {};
}

Failure unknown(const Operation& operation, const std::vector<Parameter>& known, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  std::string message = "unknown parameter " + name.substr(0, 60);
  if (const auto meant = nearest(name, names))
    message += "; did you mean " + std::string(*meant) + "?";
  else if (!names.empty())
    message += "; it takes " + listed(names);
  return wrong(operation, std::move(message));
}

}  // namespace

std::string checked_type(const Parameter& parameter) {
  if (parameter.type == ParamType::integer) return "integer";
  if (const Shape* const shape = find_shape(parameter.shape); shape != nullptr && shape->use == ShapeUse::answered)
    return {};
  return std::string(parameter.shape) + (parameter.type == ParamType::array && !parameter.shape.empty() ? "[]" : "");
}

Result<void> validate(const Operation& operation, JsonView params) {
  if (params.kind() != JsonKind::object) return wrong(operation, "parameters must be a JSON object");
  const auto known = parameters_of(operation);
  std::set<std::string, std::less<>> given;
  for (const JsonItem& item : params.fields()) {
    const std::string name = item.key();
    const auto parameter = std::ranges::find(known, name, &Parameter::name);
    if (parameter == known.end()) return unknown(operation, known, name);
    if (!given.insert(name).second) return wrong(operation, name + " is given twice");
    if (item.value.is_null())
      given.erase(name);
    else
      HOLDFAST_TRY(check_value(operation, *parameter, item.value));
  }
  for (const Parameter& parameter : known) {
    if (parameter.required && !given.contains(parameter.name))
      return wrong(operation, std::string(parameter.name) + " is missing: " + std::string(parameter.help));
  }
  return {};
}

}  // namespace holdfast::inline v1
