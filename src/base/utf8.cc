#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace holdfast::inline v1 {
namespace {

// Length of the well-formed sequence at the start of `text`, or 0.
std::size_t sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogate
  if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (first == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
  return length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::uint64_t word = 0;
    if (text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & 0x8080808080808080U) == 0) {
        text.remove_prefix(sizeof word);
        continue;
      }
    }
    const std::size_t length = sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace holdfast::inline v1
