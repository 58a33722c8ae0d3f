#include "index/hashed_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace holdfast::inline v1 {
namespace {

// Keys that fall on the same slots, too.
TEST(HashedMap, IsWhatAMapIs) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    HashedMap<std::string> fast;
    std::map<std::uint64_t, std::string> slow;
    if (round % 2 == 0) fast.reserve(random() % 100);
    for (int step = 0; step < 400; ++step) {
      const std::uint64_t key = (random() % 40) << (random() % 3 * 20);
      switch (random() % 20) {
        case 0: {
          const auto gone = [&](const auto& item) { return item.first % 7 == key % 7; };
          fast.erase_if(gone);
          std::erase_if(slow, gone);
          break;
        }
        case 1:
          if (random() % 20 != 0) break;
          fast.clear();
          slow.clear();
          break;
        default: fast.insert_or_assign(key, std::to_string(step)); slow.insert_or_assign(key, std::to_string(step));
      }
      ASSERT_EQ(fast.size(), slow.size());
      const std::uint64_t asked = (random() % 40) << (random() % 3 * 20);
      const std::string* const found = fast.find(asked);
      ASSERT_EQ(found != nullptr, slow.contains(asked));
      if (found != nullptr) {
        ASSERT_EQ(*found, slow.at(asked));
      }
    }
    const std::map<std::uint64_t, std::string> all(fast.begin(), fast.end());
    ASSERT_EQ(all, slow);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
