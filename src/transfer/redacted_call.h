// The arguments of a tool call as the policy `redacted` sends them to a remote. Sends only what a table of
// tools (layout/tool_names.h) knows not to be the content of a file; strings of unknown meaning stay here.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/tool_names.h"
#include "text/mask_paths.h"

namespace holdfast::inline v1 {

inline constexpr std::string_view kLeftOut = "[left out]";

struct RedactedCall {
  std::string json;                   // the arguments; paths are still included, except in commands
  std::vector<std::string> left_out;  // strings that are not sent
  std::optional<Tool> tool = {};      // nullopt if the agent's table does not know the tool
};
// `json` must be valid. The paths in a command are masked before it is cut: half of one is not recognized.
RedactedCall redacted_call(std::span<const ToolName> tools, std::string_view name, std::string_view json,
                           KnownPlaces places = {});

// Whether the result of the call may be sent, as far as the call decides. False for tools that change files, and if
// the result contains a line of what was left out (its first 64 bytes, without the spaces around them).
bool may_send_result(const RedactedCall& call, std::string_view result);

}  // namespace holdfast::inline v1
