#include "parts.h"

#include <gtest/gtest.h>

namespace holdfast::lab {
namespace {

TEST(Parts, RunAsManyHistoriesAsAsked) {
  int tried = 0;
  for (const Part& part : parts()) {
    if (!part.has_histories) continue;
    const auto cases = [&](std::uint64_t histories) {
      Options options;
      options.size = Size::small;
      options.histories = histories;
      const Outcome outcome = part.run(options);
      EXPECT_TRUE(outcome.ok()) << part.name;
      return outcome.cases;
    };
    EXPECT_EQ(cases(5), cases(2) + 3) << part.name;
    ++tried;
  }
  EXPECT_EQ(tried, 2);
}

}  // namespace
}  // namespace holdfast::lab
