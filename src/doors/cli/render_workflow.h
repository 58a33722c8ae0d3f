// Renders answers about the work of a session (its step, tasks, counts), specifications and settings.
// Thread-safety: a pure function.
#pragma once

#include <optional>
#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// nullopt if the answer is about something else.
std::optional<std::string> render_workflow_answer(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
