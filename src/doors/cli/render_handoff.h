// What a hand-off did, for people. Thread-safety: pure function.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Where the session is, what was carried, changed and left behind, and the command that goes on with it.
std::string render_handoff(JsonView answer, const RenderStyle& style);

// That command as a line for a shell; empty when none is known, or it could not be shown as it is.
std::string handoff_line(JsonView answer);

}  // namespace holdfast::inline v1
