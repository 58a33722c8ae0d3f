// What a hand-off did, for people. Thread-safety: pure function.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Where the session is, what was carried, changed and left behind, and the command that goes on with it.
std::string render_handoff(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
