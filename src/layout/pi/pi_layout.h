// pi's sessions: ~/.pi/agent/sessions. Read only: docs/formats/readers.md.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& pi_layout();

namespace pi {

const ToolDialect& tools();
const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();

}  // namespace pi

}  // namespace holdfast::inline v1
