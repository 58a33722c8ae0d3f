// openclaw, read-only: docs/formats/readers.md says what is read and how it counts.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& openclaw_layout();

namespace openclaw {

const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();

}  // namespace openclaw

}  // namespace holdfast::inline v1
