// What the archive holds and what was done to it, for people. Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The answers of archive.* and session.forget, and that of session.restore from the archive; of any other nothing.
std::optional<std::string> render_archive_answer(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
