#include "index/filter_store.h"

#include <gtest/gtest.h>

#include <random>

#include "disk/sim_testing.h"
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
  bool may_hold(const FilterStore& filters, int n, std::string_view word) const {
    const SessionFilterEntry* const entry = filters.find(key(n));
    return entry == nullptr || filters.may_hold(*entry, trigrams_of(folded(word)));
  }
};

TEST_F(FilterStoreTest, NeverSaysNoToWhatIsThereAndMostlyToWhatIsNot) {
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
      ASSERT_TRUE(may_hold(filters, n, std::string_view(text).substr(from, to - from)));
    }
    if (!may_hold(filters, n, "zyx#w" + std::to_string(n))) ++nos;
  }
  EXPECT_GT(nos, 36);
}

TEST_F(FilterStoreTest, ABlockThatIsNotWhatWasWrittenIsNotTrusted) {
  const std::vector<std::uint64_t> keys = {key(1).hash};
  {
    FilterStore filters = open();
    put(filters, 1, "a needle and some more text");
    filters.save(keys);
  }
  ASSERT_FALSE(may_hold(open(), 1, "absent"));
  const auto cache = must(disk.open_directory("/cache", false));
  for (const DirectoryEntry& entry : must(cache->list(""))) {
    const std::string path = "/cache/" + entry.name;
    const std::string good = must(disk.read_file(path));
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      must(disk.put_file(path, bad));
      const FilterStore filters = open();
      ASSERT_TRUE(may_hold(filters, 1, "needle")) << entry.name << " " << at;
      must(disk.put_file(path, std::string_view(good).substr(0, at)));
      ASSERT_TRUE(may_hold(open(), 1, "needle")) << entry.name << " cut at " << at;
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
  EXPECT_TRUE(may_hold(filters, 1, std::string_view(text).substr(0, 2)));
  EXPECT_FALSE(may_hold(filters, 1, "0123456789"));
  const auto cache = must(disk.open_directory("/cache", false));
  for (const DirectoryEntry& entry : must(cache->list("")))
    EXPECT_LT(must(cache->stat(entry.name)).size, 6'000'000u) << entry.name;
}

}  // namespace
}  // namespace holdfast::inline v1
