// opencode, read-only: docs/formats/readers.md says what is read and how it counts.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& opencode_layout();

namespace opencode {

const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();

}  // namespace opencode

}  // namespace holdfast::inline v1
