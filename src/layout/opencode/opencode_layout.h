// opencode, read-only: docs/formats/readers.md says what is read and how it counts.
#pragma once

#include "layout/layout.h"
#include "layout/session_rescue.h"

namespace holdfast::inline v1 {

const Layout& opencode_layout();

namespace opencode {

const SessionRescue& rescue();
const AgentHome& home();
std::span<const ToolName> tool_names();
const NewSessions& new_sessions();
// A rescued session, under new ids.
ImportableSession import_form(std::string_view rescued, std::uint64_t random);

}  // namespace opencode

}  // namespace holdfast::inline v1
