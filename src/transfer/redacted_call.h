// The arguments of a tool as the policy `redacted` lets them go to a remote. What goes is what a table of tools
// (layout/tool_names.h) knows to be no content of a file: a string that nobody knows the meaning of stays here.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/tool_names.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kLeftOut = "[left out]";

struct RedactedCall {
  std::string json;                   // the arguments; paths are still in it
  std::vector<std::string> left_out;  // strings that stay here
  std::optional<Tool> tool = {};      // nullopt: one that the agent's table does not know
};
// `json` is valid.
RedactedCall redacted_call(std::span<const ToolName> tools, std::string_view name, std::string_view json);

// Whether what the tool gave back may go, as far as its call decides: not what it says of the contents of a file that
// it was given.
bool may_tell_result(const RedactedCall& call, std::string_view result);

}  // namespace holdfast::inline v1
