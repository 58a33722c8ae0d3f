#include "index/trigrams.h"

#include <algorithm>
#include <utility>

#include "text/fold.h"

namespace holdfast::inline v1 {

// ASCII, which is nearly all, in the inner loop.
void TrigramSet::add(std::string_view text) {
  std::uint64_t* const seen = seen_.data();
  std::uint32_t gram = 0;
  std::size_t wait = 2;  // bytes until the first is whole
  const auto note = [&] {
    std::uint64_t& word = seen[gram >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (gram & 63U);
    if ((word & bit) != 0) return;
    word |= bit;
    all_.push_back(gram);
  };
  const auto push = [&](char byte) {
    gram = (gram << 8 | static_cast<unsigned char>(byte)) & 0xFFFFFFU;
    if (wait == 0)
      note();
    else
      --wait;
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    for (; at != end && wait != 0 && static_cast<signed char>(*at) >= 0; ++at) push(fold_ascii(*at));
    for (; at != end && static_cast<signed char>(*at) >= 0; ++at) {
      gram = (gram << 8 | static_cast<unsigned char>(fold_ascii(*at))) & 0xFFFFFFU;
      note();
    }
    if (at == end) break;
    const FoldedChar one = fold_at(text, static_cast<std::size_t>(at - text.data()));
    for (std::size_t i = 0; i < one.size; ++i) push(one.bytes[i]);
    at += one.length;
  }
}

std::vector<std::uint32_t> TrigramSet::take() {
  for (const std::uint32_t gram : all_) seen_[gram >> 6] = 0;
  return std::exchange(all_, {});
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
