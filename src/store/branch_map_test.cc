#include "store/branch_map.h"

#include <gtest/gtest.h>

#include <random>

namespace holdfast::inline v1 {
namespace {

Message random_message(std::mt19937& random, int number) {
  const auto id = [&](int below) { return "m" + std::to_string(random() % static_cast<unsigned>(below + 1)); };
  Message message;
  message.id = random() % 20 == 0 ? "" : random() % 30 == 0 ? id(number) : "m" + std::to_string(number);
  message.parent = random() % 15 == 0 ? "" : random() % 20 == 0 ? "gone" : id(number);
  message.side = random() % 10 == 0;
  message.abandoned = random() % 20 == 0;
  if (random() % 3 == 0) message.blocks.push_back({.kind = BlockKind::tool_call, .id = id(9)});
  if (random() % 3 == 0) message.blocks.push_back({.kind = BlockKind::tool_result, .id = id(9)});
  return message;
}

TEST(BranchMap, MergingPartsEqualsSingleMap) {
  const auto same = [](std::size_t a, std::size_t b) { return (a + b) % 2 == 0; };
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    BranchMap whole, first, second;
    const int count = 3 + static_cast<int>(seed % 60), cut = static_cast<int>(random() % static_cast<unsigned>(count));
    for (int number = 0; number < count; ++number) {
      const Message message = random_message(random, number);
      whole.add(message);
      (number < cut ? first : second).add(message);
    }
    first.add(second);
    ASSERT_EQ(first.size(), whole.size());
    for (const std::string leaf : {"", "m0", "m5", "gone", "never"}) {
      const auto kept = whole.on_branch(leaf, same);
      EXPECT_EQ(first.on_branch(leaf, same), kept) << seed << " " << leaf;
      EXPECT_EQ(first.last_after(leaf), whole.last_after(leaf)) << seed << " " << leaf;
      for (const std::string id : {"m1", "m7", "never"}) {
        EXPECT_EQ(first.tool_use(first.tool_uses(kept), id).calls, whole.tool_use(whole.tool_uses(kept), id).calls);
        EXPECT_EQ(first.tool_use(first.tool_uses(kept), id).results, whole.tool_use(whole.tool_uses(kept), id).results);
      }
    }
  }
}

TEST(BranchMap, FindsLastDescendant) {
  BranchMap map;
  map.add({.id = "a"});
  map.add({.id = "b", .parent = "a"});
  map.add({.id = "c", .parent = "a"});
  map.add({.id = "d", .parent = "c"});
  map.add({.id = "side", .parent = "d", .side = true});
  EXPECT_EQ(map.last_after("a"), "d");
  EXPECT_EQ(map.last_after("b"), "b");
  EXPECT_EQ(map.last_after("side"), "") << "a sub-agent's is no leaf";
  EXPECT_EQ(map.last_after("never"), "");
  EXPECT_TRUE(map.is(1, {.id = "b", .parent = "a"}));
  EXPECT_FALSE(map.is(1, {.id = "b", .parent = "c"}));
}

TEST(BranchMap, CountsCallsAndResultsOfKeptMessagesOnly) {
  BranchMap map;
  Message call{.id = "a"}, result{.id = "b", .parent = "a"};
  call.blocks = {{.kind = BlockKind::tool_call, .id = "t"}, {.kind = BlockKind::tool_call, .id = ""}};
  result.blocks = {{.kind = BlockKind::tool_result, .id = "t"}};
  map.add(call);
  map.add(result);
  const auto all = map.tool_uses({true, true}), one = map.tool_uses({true, false});
  EXPECT_EQ(map.tool_use(all, "t").results, 1U);
  EXPECT_EQ(map.tool_use(one, "t").results, 0U);
  EXPECT_EQ(map.tool_use(one, "t").calls, 1U);
  EXPECT_EQ(map.tool_use(all, "").calls, 1U);
  EXPECT_EQ(map.tool_use(all, "never").calls, 0U);
  EXPECT_EQ(map.with_results_for(0, 1), (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace holdfast::inline v1
