#include "doors/cli/cli_error.h"

#include <algorithm>

#include "base/ascii.h"
#include "doors/cli/noun_args.h"

namespace holdfast::inline v1 {

std::string option_name(const Parameter& parameter) {
  return flag_of(parameter) + (parameter.letter == '\0' ? std::string() : std::string(" (-") + parameter.letter + ")");
}

std::string rewrite_for_cli(const std::string& message) {
  const std::size_t colon = message.find(": ");
  const Operation* const operation = colon == std::string::npos ? nullptr : find_operation(message.substr(0, colon));
  if (operation == nullptr) return message;
  std::string rest = message.substr(colon + 2);
  const std::string name = rest.substr(0, rest.find(' '));
  const auto parameters = parameters_of(*operation);
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  if (found == parameters.end()) return rest;
  if (!found->positional) return option_name(*found) + rest.substr(name.size());
  return in_upper_case(name) + rest.substr(name.size());
}

}  // namespace holdfast::inline v1
