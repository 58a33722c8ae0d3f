// Renders the content of the archive and what was done to it. Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>

#include "doors/cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// For answers of archive.* and session.forget, and of session.restore from the archive; nullopt for any other.
std::optional<std::string> render_archive_answer(JsonView answer, const RenderStyle& style);

}  // namespace holdfast::inline v1
