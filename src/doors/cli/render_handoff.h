// Renders the result of a hand-off. Thread-safety: pure function.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Where the session is, what was carried over, changed and left behind, and the command that continues it.
std::string render_handoff(JsonView answer, const RenderStyle& style);

// That command as a line for a shell; empty if it is unknown or could not be shown verbatim.
std::string handoff_line(JsonView answer);

}  // namespace holdfast::inline v1
