// Converts calls of one agent's tools to those of another, through common names and
// arguments (docs/formats/tools.md). Thread-safety: pure functions.
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

// nullopt if the agent's table does not know the call, or if the conversion would lose something.
std::optional<CommonCall> to_common(std::span<const ToolName> names, std::string_view name, std::string_view json);

// Uses `names`, else the table of any agent that knows the call: a session may have passed through several agents, and
// Holdfast's own sessions have no tool names.
std::optional<CommonCall> to_common_of_any(std::span<const ToolName> names, std::string_view name,
                                           std::string_view json);

// The files that a patch in the arguments names ("*** Update File: src/a.cc" between "*** Begin Patch" and its end),
// whatever the name of the tool: Codex has apply_patch, and also passes patches to its shell.
std::vector<std::string> patched_files(std::string_view json);

struct OwnCall {
  std::string name, json;
};
std::optional<OwnCall> from_common(std::span<const ToolName> names, const CommonCall& call);

}  // namespace holdfast::inline v1
