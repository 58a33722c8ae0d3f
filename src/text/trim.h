// Text without surrounding blanks: always a slice of the argument.
// Thread-safety: a pure function.
#pragma once

#include <string_view>

namespace holdfast::inline v1 {

constexpr std::string_view trim(std::string_view text, std::string_view blanks = " \t\r\n") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace holdfast::inline v1
