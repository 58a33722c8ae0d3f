// Text of transcripts in one line of a screen, and its colours.
// Thread-safety: pure functions.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "text/clean.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Of a string, at most so many bytes; nothing in it can move a cursor.
inline std::string line_of(JsonView value, std::size_t most = 200) {
  return clean_for_terminal(value.as_string().value_or(""), {.one_line = true, .max_bytes = most});
}

// `code` is of SGR: "1" bold, "2" dim, "36" cyan.
inline std::string painted(bool colour, std::string_view code, const std::string& text) {
  return colour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace holdfast::inline v1
