// Claude Code's sessions: ~/.claude/projects. Read only.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& claude_code_layout();

namespace claude_code {

const ToolDialect& tools();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();

}  // namespace claude_code

}  // namespace holdfast::inline v1
