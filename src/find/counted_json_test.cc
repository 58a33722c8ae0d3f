#include "find/counted_json.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(CountedJson, RoundTrips) {
  Share share(1);
  share[0] = {.slot = {"2026-11-15T08:45", "gpt"},
              .prompts = 1,
              .answers = 2,
              .tool_calls = 3,
              .tool_results = 4,
              .usage = {.input = 5,
                        .output = 6,
                        .cache_read = 7,
                        .cache_write = 8,
                        .reasoning = 9,
                        .cache_write_1h = 1,
                        .reasoning_apart = 2},
              .unpriced = {.input = 5},
              .cost = 0.25};
  Rollup rollup{.slots = {{"2026-11-15T08:45", "gpt"}}};
  rollup.items.push_back({.kind = RollupItem::Kind::response, .priced = true, .cost = 0.5});
  rollup.items.push_back({.kind = RollupItem::Kind::response, .usage = {.input = 1'000'000}});
  const std::string text = write_counted(share, rollup);
  const Share back = share_from_json(JsonView(text));
  ASSERT_EQ(back.size(), 1U) << text;
  EXPECT_EQ(back[0].slot, share[0].slot);
  EXPECT_EQ(back[0].usage, share[0].usage);
  EXPECT_EQ(back[0].unpriced, share[0].unpriced);
  EXPECT_EQ(back[0].prompts + 10 * back[0].answers + 100 * back[0].tool_calls + 1000 * back[0].tool_results, 4321);
  EXPECT_EQ(back[0].cost, 0.25);
  const PriceTable prices{{"gpt", {.input = 2}}};
  const SessionCost cost = cost_from_json(JsonView(text), prices), same = cost_of(rollup, prices);
  EXPECT_EQ(cost.recorded, same.recorded);
  EXPECT_EQ(cost.estimated, same.estimated);
}

TEST(CountedJson, MalformedFiguresCountAsNothing) {
  for (const char* text : {"{}", "[]", "7", R"({"slots":7,"spent":{}})", R"({"slots":[1,[],["a"]],"spent":[[1]]})"}) {
    EXPECT_TRUE(share_from_json(JsonView(text)).empty()) << text;
    EXPECT_EQ(cost_from_json(JsonView(text), {}).total(), 0) << text;
  }
  const Share share =
      share_from_json(JsonView(R"({"slots":[[7,null,-1,9223372036854775807,"x",1e300,[-5,1,2,3,4,5,6],{},-1]]})"));
  ASSERT_EQ(share.size(), 1U);
  EXPECT_EQ(share[0].prompts, 0);
  EXPECT_LE(share[0].answers, std::int64_t{1} << 40);
  EXPECT_EQ(share[0].usage.input, 0);
  EXPECT_EQ(share[0].cost, 0);
}

}  // namespace
}  // namespace holdfast::inline v1
