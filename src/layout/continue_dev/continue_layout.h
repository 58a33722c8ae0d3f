// Continue's sessions: ~/.continue/sessions. Read only.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& continue_layout();

namespace continue_dev {

const ToolDialect& tools();
const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();

}  // namespace continue_dev

}  // namespace holdfast::inline v1
