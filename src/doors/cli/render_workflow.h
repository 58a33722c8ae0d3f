// Answers about the work of a session (its step, tasks, counts), about specifications and settings, for people.
// Thread-safety: a pure function.
#pragma once

#include <optional>
#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// nullopt: the answer is about something else.
std::optional<std::string> render_workflow_answer(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
