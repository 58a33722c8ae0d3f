// Text of transcripts in one line of a screen, and colors. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

inline constexpr std::size_t kWidestCell = 200;  // bytes

// The value of a string in at most `most` bytes; nothing in it can move the cursor.
std::string line_of(JsonView value, std::size_t most = kWidestCell);

// The same for any value: numbers as they are written, null as nothing.
std::string cell_of(JsonView value, std::size_t most = kWidestCell);
// The same for a field of an answer; its time is local.
std::string value_of(const JsonItem& field, std::size_t most = kWidestCell);
// Appends to `out` and returns the number of columns.
std::size_t append_cell(std::string& out, JsonView value, std::size_t most = kWidestCell);
std::size_t append_line(std::string& out, std::string_view text, std::size_t most = kWidestCell);

// `code` is an SGR code: "1" bold, "2" dim, "36" cyan.
std::string painted(bool colour, std::string_view code, const std::string& text);

// Wraps words to `width`, the first line after `head`, the others indented to match; width 0: one line.
std::string wrapped(const std::string& head, const std::string& words, std::size_t width);

}  // namespace holdfast::inline v1
