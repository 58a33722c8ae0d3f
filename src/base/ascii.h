// Letters and digits of ASCII, whatever the locale is. Every other byte, also within UTF-8, is none of them and
// has no case. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_ascii_letter(char c) { return is_ascii_lower(c) || is_ascii_upper(c); }
constexpr bool is_ascii_alnum(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }

constexpr char ascii_lower(char c) { return is_ascii_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char ascii_upper(char c) { return is_ascii_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_lower(c);
  return out;
}

inline std::string in_upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_upper(c);
  return out;
}

}  // namespace holdfast::inline v1
