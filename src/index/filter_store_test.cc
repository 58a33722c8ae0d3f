#include "index/filter_store.h"

#include <gtest/gtest.h>

#include <random>

#include "crash/disk/sim_testing.h"
#include "index/trigrams.h"
#include "text/fold.h"

namespace holdfast::inline v1 {
namespace {

using Random = std::mt19937_64;

std::string random_text(Random& random, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    const auto pick = random() % 40;
    text += pick < 26 ? std::string(1, static_cast<char>((random() % 2 == 0 ? 'a' : 'A') + pick))
                      : std::string(pick < 32   ? " "
                                    : pick < 36 ? "\u00C4"
                                                : "\u4E2D");
  }
  return text;
}

struct FilterStoreTest : testing::Test {
  SimFileSystem disk;
  SessionKey key(int n) const { return SessionKey::of({"s" + std::to_string(n), {"data", std::to_string(n)}, {}, {}}); }
  FilterStore open() { return {disk, "/cache", "x:/s"}; }

  void put(FilterStore& filters, int n, std::string_view text) {
    TrigramSet set;
    set.add(text);
    const auto all = set.take();
    SessionFilterEntry entry;
    entry.generation = static_cast<std::uint64_t>(n);
    entry.count = all.size();
    entry.shape = filter_shape(all.size(), disk.entropy());
    std::string bits = empty_filter(entry.shape);
    add_to_filter(entry.shape, bits, all);
    filters.put(key(n), entry, bits);
  }
  bool may_contain(const FilterStore& filters, int n, std::string_view word) const {
    const SessionFilterEntry* const entry = filters.find(key(n));
    if (entry == nullptr) return true;
    const bool alone = filters.may_contain(*entry, trigrams_of(folded(word)));
    // The answer is the same from rows that were read for many.
    FilterRows rows;
    rows.begin(entry->place.offset, 1000);
    EXPECT_EQ(filters.may_contain(*entry, trigrams_of(folded(word)), rows), alone) << n << " " << word;
    return alone;
  }
  // Asks like a search: batch by batch.
  void asked_together(Random& random, const std::vector<std::string>& texts) {
    const FilterStore filters = open();
    std::map<std::uint64_t, std::vector<int>> batches;
    for (int n = 0; n < 120; ++n) {
      ASSERT_NE(filters.find(key(n)), nullptr);
      batches[filters.find(key(n))->place.offset].push_back(n);
    }
    EXPECT_GT(batches.size(), 1u);
    FilterRows rows;
    for (int round = 0; round < 30; ++round) {
      const std::string& whose = texts[random() % texts.size()];
      std::size_t from = random() % whose.size(), to = std::min(whose.size(), from + 4 + random() % 3);
      while (from > 0 && (static_cast<unsigned char>(whose[from]) & 0xC0U) == 0x80) --from;
      while (to < whose.size() && (static_cast<unsigned char>(whose[to]) & 0xC0U) == 0x80) ++to;
      const auto trigrams = trigrams_of(folded(std::string_view(whose).substr(from, to - from)));
      for (const auto& [offset, members] : batches) {
        rows.begin(offset, members.size());
        for (const int n : members) {
          const SessionFilterEntry& entry = *filters.find(key(n));
          ASSERT_EQ(filters.may_contain(entry, trigrams, rows), filters.may_contain(entry, trigrams)) << n;
          if (&texts[static_cast<std::size_t>(n)] == &whose) {
            ASSERT_TRUE(filters.may_contain(entry, trigrams, rows)) << n;
          }
        }
      }
    }
    // Growing a filter starts from a copy of its bits, whichever rows they are in.
    for (int n = 0; n < 120; ++n) EXPECT_TRUE(filters.bits_of(*filters.find(key(n)))) << n;
  }
};

TEST_F(FilterStoreTest, NoFalseNegativesAndFewFalsePositives) {
  Random random(1);
  std::vector<std::string> texts;
  std::vector<std::uint64_t> keys;
  {
    FilterStore filters = open();
    for (int n = 0; n < 40; ++n) {
      put(filters, n, texts.emplace_back(random_text(random, 20 + random() % 5000)));
      keys.push_back(key(n).hash);
    }
    filters.save(keys);
  }
  const FilterStore filters = open();
  int nos = 0;
  for (int n = 0; n < 40; ++n) {
    ASSERT_NE(filters.find(key(n)), nullptr);
    const std::string& text = texts[static_cast<std::size_t>(n)];
    for (int round = 0; round < 50; ++round) {
      std::size_t from = random() % text.size(), to = std::min(text.size(), from + 1 + random() % 12);
      while (from > 0 && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80) --from;
      while (to < text.size() && (static_cast<unsigned char>(text[to]) & 0xC0U) == 0x80) ++to;
      ASSERT_TRUE(may_contain(filters, n, std::string_view(text).substr(from, to - from)));
    }
    if (!may_contain(filters, n, "zyx#w" + std::to_string(n))) ++nos;
  }
  EXPECT_GT(nos, 36);
}

// Several batches, small and large filters in each.
TEST_F(FilterStoreTest, BatchedReadsGiveTheSameAnswers) {
  Random random(3);
  std::vector<std::uint64_t> keys;
  std::vector<std::string> texts;
  {
    FilterStore filters = open();
    for (int n = 0; n < 120; ++n) {
      put(filters, n, texts.emplace_back(random_text(random, n % 7 == 0 ? 5 : 10'000 + random() % 40'000)));
      keys.push_back(key(n).hash);
    }
    filters.save(keys);
    put(filters, 5, texts[5]);  // a filter that grew is in a batch of its own
    filters.save(keys);
  }
  asked_together(random, texts);
  const auto bits = [&] {
    std::uint64_t size = 0;
    const auto cache = must(disk.open_directory("/cache", false));
    for (const DirectoryEntry& entry : must(cache->list(""))) size = std::max(size, must(cache->stat(entry.name)).size);
    return size;
  };
  const std::uint64_t once = bits();
  // And after the bits file was rewritten.
  while (bits() < 2 * once + (6 << 20)) {
    FilterStore filters = open();
    const std::uint64_t before = bits();
    for (int n = 0; n < 120; ++n) put(filters, n, texts[static_cast<std::size_t>(n)]);
    filters.save(keys);
    if (bits() < before) break;
  }
  EXPECT_LT(bits(), 2 * once);
  asked_together(random, texts);
}

TEST_F(FilterStoreTest, DamagedFilesNeverHideAMatch) {
  const std::vector<std::uint64_t> keys = {key(1).hash};
  {
    FilterStore filters = open();
    put(filters, 1, "a needle and some more text");
    filters.save(keys);
  }
  ASSERT_FALSE(may_contain(open(), 1, "absent"));
  const auto cache = must(disk.open_directory("/cache", false));
  for (const DirectoryEntry& entry : must(cache->list(""))) {
    const std::string path = "/cache/" + entry.name;
    const std::string good = must(disk.read_file(path));
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      must(disk.put_file(path, bad));
      const FilterStore filters = open();
      ASSERT_TRUE(may_contain(filters, 1, "needle")) << entry.name << " " << at;
      must(disk.put_file(path, std::string_view(good).substr(0, at)));
      ASSERT_TRUE(may_contain(open(), 1, "needle")) << entry.name << " cut at " << at;
    }
    must(disk.put_file(path, good));
  }
}

TEST_F(FilterStoreTest, StaleBitsAreCleanedUp) {
  Random random(2);
  const std::string text = random_text(random, 60'000);
  const std::vector<std::uint64_t> keys = {key(1).hash};
  for (int round = 0; round < 400; ++round) {
    FilterStore filters = open();
    put(filters, 1, text);
    filters.save(keys);
  }
  const FilterStore filters = open();
  EXPECT_TRUE(may_contain(filters, 1, std::string_view(text).substr(0, 2)));
  EXPECT_FALSE(may_contain(filters, 1, "0123456789"));
  const auto cache = must(disk.open_directory("/cache", false));
  for (const DirectoryEntry& entry : must(cache->list("")))
    EXPECT_LT(must(cache->stat(entry.name)).size, 6'000'000u) << entry.name;
}

}  // namespace
}  // namespace holdfast::inline v1
