// Case-folding for searches: Unicode's simple folding, a character to a character.
// Thread-safety: pure functions. Safe on any bytes: what is not UTF-8 stays as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

char32_t fold_char(char32_t c);

// The folded bytes of the character at `at`, which is not ASCII: how many bytes it
// has, and its folded bytes. What is no character is told byte by byte.
struct FoldedChar {
  std::size_t length = 1;
  std::size_t size = 1;
  char bytes[4] = {};
};
FoldedChar fold_at(std::string_view text, std::size_t at);

// Of an ASCII byte.
inline char fold_ascii(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte; }

// Replaces `out` by the folded text. `starts[i]`: the offset in `text` of the
// character that out[i] belongs to; one more at the end for the end.
void fold_text(std::string_view text, std::string& out, std::vector<std::size_t>* starts = nullptr);
std::string folded(std::string_view text);

}  // namespace holdfast::inline v1
