#include "index/by_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace holdfast {
namespace {

// Few different hashes, many of them in one slot.
TEST(ByHashTest, BehavesLikeAMap) {
  std::mt19937 random(7);
  std::map<std::uint64_t, std::string> truth;
  ByHash<std::string> table;
  EXPECT_EQ(table.find(0), nullptr);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t hash = (random() % 40) << (random() % 3 * 16);
    const std::string value = std::to_string(i);
    if (random() % 50 == 0) {
      std::erase_if(truth, [&](const auto& item) { return item.first > hash; });
      table.erase_if([&](const auto& item) { return item.first > hash; });
    } else if (random() % 100 == 0) {
      table.reserve(table.size() + random() % 100);
    } else {
      truth[hash] = value;
      table[hash] = value;
    }
    ASSERT_EQ(table.size(), truth.size());
    for (std::uint64_t each = 0; each < 40; ++each) {
      for (const unsigned shift : {0U, 16U, 32U}) {
        const auto known = truth.find(each << shift);
        const std::string* const found = table.find(each << shift);
        ASSERT_EQ(found != nullptr, known != truth.end());
        ASSERT_TRUE(found == nullptr || *found == known->second);
      }
    }
  }
  table.clear();
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.find(0), nullptr);
}

}  // namespace
}  // namespace holdfast
