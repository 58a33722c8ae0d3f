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
// The session's files after the first that have records.
std::vector<std::string> further_files(const SessionRef& ref);

}  // namespace gemini

}  // namespace holdfast::inline v1
