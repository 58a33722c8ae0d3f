#include "doors/cli/api_words.h"

#include <algorithm>

#include "api/command_line.h"
#include "doors/cli/noun_help.h"

namespace holdfast::inline v1 {

std::string typed_parameter(const Parameter& parameter) {
  return parameter.positional ? spelled_parameter(parameter) : flag_of(parameter);
}

namespace {

// A name that is neither a method nor a parameter stays as it is.
std::string typed_name(const Operation& operation, std::string_view name) {
  const auto parameters = parameters_of(operation);
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  if (found != parameters.end()) return typed_parameter(*found);
  const Operation* const other = find_operation(name);
  return other == nullptr ? std::string(name) : "holdfast " + command_name(*other);
}

}  // namespace

std::string in_cli_words(const Operation& operation, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('`'), close = text.find('`', std::min(open, text.size() - 1) + 1);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    out += std::string(text.substr(0, open)) + typed_name(operation, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return out += text;
}

std::string error_in_cli_words(const Operation& operation, std::string message) {
  const auto parameters = parameters_of(operation);
  const std::string name = message.substr(0, message.find_first_of(" :"));
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  const std::string_view rest = std::string_view(message).substr(name.size());
  const bool is_about = rest.starts_with(": ") || rest.starts_with(" takes ") || rest.starts_with(" is not ");
  if (found == parameters.end() || !is_about) return message;
  message.replace(0, name.size(), typed_parameter(*found));
  if (const std::size_t method = message.find(operation.method); method != std::string::npos)
    message.replace(method, operation.method.size(), "holdfast " + command_name(operation));
  return message;
}

}  // namespace holdfast::inline v1
