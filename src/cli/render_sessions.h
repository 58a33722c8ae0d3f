// `ls` on a terminal: a table that fits its width. Thread-safety: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "cli/render.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The rows of session.list, as many columns of them as fit into style.width; ids are as
// short as they can be among those that are shown, and not shorter than 8 characters.
std::string render_sessions(JsonView answer, const RenderStyle& style, std::chrono::system_clock::time_point now);

// The names of the sessions for other programs, each with a NUL behind it: LAYOUT/ID.
std::string names_with_zeros(JsonView answer);

// Title, else the first prompt; one line, cleaned for a terminal.
std::string session_title(JsonView session);
// "now", "5m ago", "3h ago", "12d ago"; a day when it is longer ago; empty when it is no time.
std::string short_age(std::string_view iso, std::chrono::system_clock::time_point now);
// Beginnings that tell the ids apart.
std::vector<std::string> short_ids(const std::vector<std::string>& ids, std::size_t least);

}  // namespace holdfast::inline v1
