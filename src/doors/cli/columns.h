// How many columns text takes on a terminal, and text cut to columns.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Columns of one line: wide characters (East Asian, emoji) take two, combining
// and invisible ones none, SGR sequences ("\x1b[1m") none.
std::size_t shown_width(std::string_view line);

// The longest beginning that fits into `columns`; when something is cut, with "…" as its
// last character. Never splits a character from what combines with it.
std::string fit_columns(std::string_view text, std::size_t columns);
// The same, filled with spaces to exactly `columns`.
std::string pad_columns(std::string_view text, std::size_t columns);
// The longest end that fits, behind a "…": for paths.
std::string fit_end(std::string_view text, std::size_t columns);

}  // namespace holdfast::inline v1
