#include "index/trigrams.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

bool is_ascii(char byte) { return static_cast<signed char>(byte) >= 0; }

// Packs eight ASCII bytes, folded, into one number of 56 bits, the first byte highest.
std::uint64_t packed(std::uint64_t bytes) {
  const std::uint64_t from_a = bytes + 0x3F3F3F3F3F3F3F3FU, behind_z = bytes + 0x2525252525252525U;
  bytes |= (from_a & ~behind_z & kHighBits) >> 2;
  if constexpr (std::endian::native == std::endian::little) bytes = __builtin_bswap64(bytes);
  bytes = (bytes & 0x007F007F007F007FU) | (bytes & 0x7F007F007F007F00U) >> 1;
  bytes = (bytes & 0x00003FFF00003FFFU) | (bytes & 0x3FFF00003FFF0000U) >> 2;
  return (bytes & 0xFFFFFFFU) | (bytes >> 4 & 0xFFFFFFF0000000U);
}

}  // namespace

// Adds the trigrams of the ASCII run from `from` on; returns where it ends.
// Setting a bit again is cheaper than testing it.
std::size_t TrigramSet::add_ascii(std::string_view text, std::size_t from) {
  std::uint64_t* const bits = ascii_.data();
  std::size_t at = from;
  for (; text.size() - at >= 8; at += 6) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, 8);
    if ((bytes & kHighBits) != 0) break;
    bytes = packed(bytes);
    const auto set = [&](unsigned shift) {
      bits[bytes >> (shift + 6) & 0x7FFFU] |= std::uint64_t{1} << (bytes >> shift & 63U);
    };
    set(35), set(28), set(21), set(14), set(7), set(0);
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(fold_ascii(text[i])); };
  for (; at < text.size() && is_ascii(text[at]); ++at) {
    if (at < from + 2) continue;
    const std::uint32_t gram = byte(at - 2) << 14 | byte(at - 1) << 7 | byte(at);
    bits[gram >> 6] |= std::uint64_t{1} << (gram & 63U);
  }
  return at;
}

// Adds trigrams from a non-ASCII character on, with the two bytes before it;
// returns where two ASCII bytes follow each other, or the end.
std::size_t TrigramSet::add_others(std::string_view text, std::size_t from) {
  std::uint32_t gram = 0;
  std::size_t there = 0;  // bytes in gram
  const auto push = [&](char one) {
    gram = (gram << 8 | static_cast<unsigned char>(one)) & 0xFFFFFFU;
    if (++there >= 3) note(gram);
  };
  for (std::size_t at = from - std::min<std::size_t>(from, 2); at < from; ++at) push(fold_ascii(text[at]));
  std::size_t plain = 0;  // ASCII bytes since the last non-ASCII character
  for (std::size_t at = from; at < text.size();) {
    if (is_ascii(text[at])) {
      push(fold_ascii(text[at++]));
      if (++plain == 2) return at - 2;
      continue;
    }
    plain = 0;
    const FoldedChar one = fold_at(text, at);
    for (std::size_t i = 0; i < one.size; ++i) push(one.bytes[i]);
    at += one.length;
  }
  return text.size();
}

void TrigramSet::note(std::uint32_t gram) {
  if ((gram & 0x808080U) == 0) {
    const std::uint32_t dense = (gram >> 16) << 14 | (gram >> 8 & 0x7FU) << 7 | (gram & 0x7FU);
    ascii_[dense >> 6] |= std::uint64_t{1} << (dense & 63U);
    return;
  }
  if (seen_.empty()) seen_.resize(std::size_t{1} << 18);
  std::uint64_t& word = seen_[gram >> 6];
  const std::uint64_t bit = std::uint64_t{1} << (gram & 63U);
  if ((word & bit) != 0) return;
  word |= bit;
  others_.push_back(gram);
}

void TrigramSet::add(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    at = add_ascii(text, at);
    if (at < text.size()) at = add_others(text, at);
  }
}

std::vector<std::uint32_t> TrigramSet::take() {
  for (const std::uint32_t gram : others_) seen_[gram >> 6] = 0;
  std::vector<std::uint32_t> all = std::exchange(others_, {});
  for (std::uint32_t at = 0; at < ascii_.size(); ++at) {
    std::uint64_t word = ascii_[at];
    if (word == 0) continue;
    ascii_[at] = 0;
    for (; word != 0; word &= word - 1) {
      const std::uint32_t dense = at << 6 | static_cast<std::uint32_t>(std::countr_zero(word));
      all.push_back(dense >> 14 << 16 | (dense >> 7 & 0x7FU) << 8 | (dense & 0x7FU));
    }
  }
  return all;
}

std::vector<std::uint32_t> trigrams_of(std::string_view folded) {
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i + 2 < folded.size(); ++i) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(folded[at]));
    };
    all.push_back(byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2));
  }
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all;
}

}  // namespace holdfast::inline v1
