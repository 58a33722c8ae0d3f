#include "text/utf8.h"

#include <simdjson.h>

#include <cstring>

#include "text/json_blocks.h"

namespace holdfast::inline v1 {
namespace {

// Most texts are ASCII, and most are short: decide before calling a library.
bool is_ascii(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t seen = 0;
  JsonBlock::Range range;
  for (; left >= 64; at += 64, left -= 64) JsonBlock(at).widen_up(range);
  if (range.high()) return false;
  const auto look = [&seen](const char* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    seen |= word;
  };
  if (text.size() >= 8 && left > 0) {  // the last word may overlap the one before
    look(text.data() + text.size() - 8);
    for (; left > 8; at += 8, left -= 8) look(at);
    return (seen & kHigh) == 0;
  }
  for (; left > 0; ++at, --left) seen |= static_cast<std::uint64_t>(static_cast<unsigned char>(*at));
  return (seen & kHigh) == 0;
}

}  // namespace

std::size_t utf8_fault(std::string_view text) {
  if (is_ascii(text)) return std::string_view::npos;
  // Eight times as fast as the walk on mostly non-ASCII text.
  if (simdjson::validate_utf8(text.data(), text.size())) return std::string_view::npos;
  return utf8_fault_scalar(text);
}

}  // namespace holdfast::inline v1
