// Copilot CLI's sessions: ~/.copilot/session-state. Read only.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& copilot_layout();

namespace copilot {

const ToolDialect& tools();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();
const SessionRescue& rescue();

}  // namespace copilot

}  // namespace holdfast::inline v1
