// Text on one line, for lists and summaries. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Replaces each run of line ends, tabs and spaces with one space, and drops blanks at
// both ends. Stops soon after `enough` bytes, for a caller that needs only those.
std::string on_one_line(std::string_view text, std::size_t enough = std::string_view::npos);

// Whether there is neither LF nor CR. Two searches for one byte each: find_first_of is called for every byte.
inline bool is_one_line(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') == std::string_view::npos;
}

}  // namespace holdfast::inline v1
