// Text on one line, for lists and summaries. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Line ends, tabs and runs of spaces become one space each. A caller that needs
// only the first `enough` bytes gets little more than those.
std::string on_one_line(std::string_view text, std::size_t enough = std::string_view::npos);

}  // namespace holdfast::inline v1
