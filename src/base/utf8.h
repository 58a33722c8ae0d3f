// UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
// All code uses this grammar; text/utf8.h checks long texts faster.
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Length (1 to 4) of the well-formed sequence that starts at `at`; 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

// Offset of the first byte that is not part of a well-formed sequence; npos if there is
// none. Reads no further, so a caller that continues after each fault stays linear.
std::size_t utf8_fault_scalar(std::string_view text);

inline bool is_utf8(std::string_view text) { return utf8_fault_scalar(text) == std::string_view::npos; }

// Whether the byte continues a sequence: a cut before it would split a character.
constexpr bool is_utf8_tail(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Returns the longest prefix of at most `most` bytes that does not split a character.
constexpr std::string_view utf8_prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_utf8_tail(text[most])) --most;
  return text.substr(0, most);
}

// Returns the number of characters.
constexpr std::size_t utf8_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += is_utf8_tail(byte) ? 0 : 1;
  return count;
}

// Appends one scalar value. Surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t scalar);

// Appends `text`, with one U+FFFD for every byte that is not part of a well-formed sequence.
void append_clean_utf8(std::string& out, std::string_view text);

}  // namespace holdfast::inline v1
