// Text of transcripts in one line of a screen, and its colours.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

inline constexpr std::size_t kWidestCell = 200;  // bytes

// Of a string, at most so many bytes; nothing in it can move a cursor.
std::string line_of(JsonView value, std::size_t most = kWidestCell);

// The same of any value, numbers as they are written; nothing of null.
std::string cell_of(JsonView value, std::size_t most = kWidestCell);
// Put behind `out`; how many columns it takes.
std::size_t append_cell(std::string& out, JsonView value, std::size_t most = kWidestCell);
std::size_t append_line(std::string& out, std::string_view text, std::size_t most = kWidestCell);

// `code` is of SGR: "1" bold, "2" dim, "36" cyan.
std::string painted(bool colour, std::string_view code, const std::string& text);

// Words over as many lines as they need, the first behind `head`, the others below it; width 0: one line.
std::string wrapped(const std::string& head, const std::string& words, std::size_t width);

}  // namespace holdfast::inline v1
