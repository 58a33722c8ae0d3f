// From the tools of one agent to those of another, through names and arguments
// that they have in common (docs/formats/tools.md). Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layout/tool_names.h"

namespace holdfast::inline v1 {

std::string_view tool_word(Tool tool);  // "shell"

struct CommonCall {
  Tool tool = Tool::shell;
  std::string json;  // an object with the common names
};

// nullopt: the agent's table does not know the call, or it cannot be spelled without losing something.
std::optional<CommonCall> to_common(std::span<const ToolName> names, std::string_view name, std::string_view json);

// The same by `names`, else by the table of any agent that knows the call: a session may have gone through several, and
// Holdfast's own have no tools.
std::optional<CommonCall> to_common_of_any(std::span<const ToolName> names, std::string_view name,
                                           std::string_view json);

// The files that a patch in the arguments names ("*** Update File: src/a.cc" between "*** Begin Patch" and its end),
// whatever the tool is called: Codex has apply_patch, and gives patches to its shell.
std::vector<std::string> patched_files(std::string_view json);

struct OwnCall {
  std::string name, json;
};
std::optional<OwnCall> from_common(std::span<const ToolName> names, const CommonCall& call);

}  // namespace holdfast::inline v1
