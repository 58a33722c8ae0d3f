// Case folding for searches: Unicode simple folding, one character to one character.
// Thread-safety: pure functions. Safe on any bytes: bytes that are not UTF-8 stay unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

char32_t fold_char(char32_t c);

// The non-ASCII character at `at`: its length in bytes, and its folded bytes. A byte
// that is not part of a character is returned by itself.
struct FoldedChar {
  std::size_t length = 1;
  std::size_t size = 1;
  char bytes[4] = {};
};
FoldedChar fold_at(std::string_view text, std::size_t at);

inline char fold_ascii(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte; }

// Replaces `out` with the folded text. starts[i] is the offset in `text` of the
// character that out[i] belongs to; one more entry at the end is text.size().
void fold_text(std::string_view text, std::string& out, std::vector<std::size_t>* starts = nullptr);
std::string folded(std::string_view text);

}  // namespace holdfast::inline v1
