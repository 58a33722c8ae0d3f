// The fastest scan of raw bytes: finds two given bytes at a fixed distance from each
// other. Uses NEON or SSE2 where available, portable code elsewhere.
// Thread-safety: pure functions. They never read outside `text`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace holdfast::inline v1 {

// Matches at `at` if (text[at] | first_mask) == first and (text[at + distance] | second_mask) ==
// second. A mask of 0x20 makes an ASCII letter match in both cases; the pattern byte is lower case.
struct BytePair {
  std::uint8_t first = 0, first_mask = 0;
  std::uint8_t second = 0, second_mask = 0;
  std::uint8_t distance = 1;
};

inline constexpr std::size_t kMaxPairs = 4;

struct PairMatch {
  std::size_t at = std::string_view::npos;
  std::size_t pair = 0;  // index of the matching pair; the lowest if several match
};

// Returns the first position at or after `from` where one of the pairs matches. Takes at most kMaxPairs pairs.
PairMatch find_pair(std::span<const BytePair> pairs, std::string_view text, std::size_t from);

// The same without vectors, for other machines and for tests.
PairMatch find_pair_portable(std::span<const BytePair> pairs, std::string_view text, std::size_t from);

}  // namespace holdfast::inline v1
