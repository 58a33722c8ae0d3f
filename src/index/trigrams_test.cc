#include "index/trigrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

// Pieces that texts are made of: plain, both cases, folding from and to ASCII, two to four bytes, and invalid
// characters.
const std::vector<std::string> kPieces = {
    "a",   "Z",    "7",      "[",    "@",      "{",      "`",      "\x7F",       "\n",   " ",    "\0x",
    "ABC", "\xC3", "\u00C4", "\x80", "\u017F", "\u212A", "\u4E2D", "\U0001F600", "\xFF", "word", "\u041F\u0440"};

std::vector<std::uint32_t> of(TrigramSet& set, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) set.add(text);
  auto all = set.take();
  std::ranges::sort(all);
  return all;
}

TEST(TrigramSet, MatchesTrigramsOfFoldedText) {
  std::mt19937_64 random(5);
  TrigramSet set;
  for (int round = 0; round < 20'000; ++round) {
    // Mostly ASCII, so the fast path begins and ends everywhere.
    const std::size_t kinds = random() % 3 == 0 ? kPieces.size() : 10;
    std::vector<std::string> texts(1 + random() % 2);
    std::vector<std::uint32_t> want;
    for (std::string& text : texts) {
      for (auto left = random() % 40; left > 0; --left)
        text += kPieces[random() % (random() % 8 == 0 ? kPieces.size() : kinds)];
      const auto more = trigrams_of(folded(text));
      want.insert(want.end(), more.begin(), more.end());
    }
    std::ranges::sort(want);
    const auto rest = std::ranges::unique(want);
    want.erase(rest.begin(), rest.end());
    ASSERT_EQ(of(set, texts), want) << texts[0];
  }
}

TEST(TrigramSet, IsEmptyAfterTake) {
  TrigramSet set;
  EXPECT_EQ(of(set, {"abc", "\u4E2D"}).size(), 2u);
  EXPECT_TRUE(set.take().empty());
  EXPECT_EQ(of(set, {"\u4E2D"}).size(), 1u);
}

}  // namespace
}  // namespace holdfast::inline v1
