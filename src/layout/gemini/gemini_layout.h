// Gemini CLI, read-only: docs/formats/readers.md says what is read and how it counts.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& gemini_layout();

namespace gemini {

const ToolDialect& tools();
const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();

}  // namespace gemini

}  // namespace holdfast::inline v1
