// Renders the result of verify. Thread-safety: pure function.
#pragma once

#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// What was read, then every damaged place by session and file, then notes.
std::string render_verify(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
