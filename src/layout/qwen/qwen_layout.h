// Qwen Code's sessions: ~/.qwen/projects. Read only: docs/formats/readers.md.
#pragma once

#include "layout/layout.h"

namespace holdfast::inline v1 {

const Layout& qwen_layout();

namespace qwen {

const ToolDialect& tools();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();

}  // namespace qwen

}  // namespace holdfast::inline v1
