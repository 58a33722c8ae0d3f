#include "api/command_line.h"

#include <algorithm>

#include "text/json_text.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

std::string pasted_word(JsonView value) { return shell_word(text_or_json(value)); }

std::string pasted_words(JsonView value) {
  if (value.kind() != JsonKind::array) return " " + pasted_word(value);
  std::string words;
  for (const JsonItem& item : value.elements()) words += " " + pasted_word(item.value);
  return words;
}

}  // namespace

std::string flag_of(const Parameter& parameter) {
  std::string flag = "--" + std::string(parameter.name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string command_name(const Operation& operation) {
  if (!operation.command.empty()) return std::string(operation.command);
  return std::string(operation.noun()).append(" ").append(operation.verb());
}

std::string command_again(const Operation& operation, JsonView params, std::string_view session) {
  std::string positions, flags;
  for (const Parameter& parameter : parameters_of(operation)) {
    const JsonView value = params.find(parameter.name);
    if (!value || value.is_null() || parameter.name == "dry_run") continue;
    if (parameter.positional) {
      positions += parameter.name == "id" && !session.empty() ? " " + std::string(session) : pasted_words(value);
    } else if (parameter.type == ParamType::boolean) {
      const std::string flag = flag_of(parameter);
      flags += value.as_bool().value_or(false) ? " " + flag : " --no-" + flag.substr(2);
    } else {
      flags += " " + flag_of(parameter) + " " + pasted_word(value);
    }
  }
  return "holdfast " + command_name(operation) + positions + flags;
}

}  // namespace holdfast::inline v1
