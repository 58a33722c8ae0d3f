// The fastest look at raw bytes: where two bytes stand at a distance from each
// other. NEON or SSE2 where the machine has them, plain code elsewhere.
// Thread-safety: pure functions. They never read outside `text`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace holdfast::inline v1 {

// text[at] with `first_mask` set is `first`, and the same of text[at + distance].
// A mask of 0x20 takes both cases of an ASCII letter for the small one.
struct BytePair {
  std::uint8_t first = 0, first_mask = 0;
  std::uint8_t second = 0, second_mask = 0;
  std::uint8_t distance = 1;
};

inline constexpr std::size_t kMostPairs = 4;

struct PairPlace {
  std::size_t at = std::string_view::npos;
  std::size_t pair = 0;  // which one; the lowest when several stand there
};

// The first place at or after `from` where one of at most kMostPairs pairs stands.
PairPlace find_pair(std::span<const BytePair> pairs, std::string_view text, std::size_t from);

// The same without vectors, for other machines and for tests.
PairPlace find_pair_portable(std::span<const BytePair> pairs, std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
