// Measures text in terminal columns, and cuts text to columns. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The columns of one line: wide characters (East Asian, emoji) take two,
// combining and invisible ones none, SGR sequences ("\x1b[1m") none.
std::size_t shown_width(std::string_view line);

// The longest prefix that fits into `columns`. If something is cut, the last character
// is "…". Never splits a character from what combines with it.
std::string fit_columns(std::string_view text, std::size_t columns);
// The same, filled with spaces to exactly `columns`.
std::string pad_columns(std::string_view text, std::size_t columns);
// The longest suffix that fits, after a "…"; for paths.
std::string fit_end(std::string_view text, std::size_t columns);

}  // namespace holdfast::inline v1
