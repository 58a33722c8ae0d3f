#include "layout/json_pick.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(JsonPick, CountOfReadsNumbersAndDigitStrings) {
  EXPECT_EQ(count_of(JsonView("12")), 12);
  EXPECT_EQ(count_of(JsonView("12.7")), 12);
  EXPECT_EQ(count_of(JsonView("-3")), 0);
  EXPECT_EQ(count_of(JsonView("\"1203\"")), 1203);
  EXPECT_EQ(count_of(JsonView("\"9999999999999999\"")), std::int64_t{1} << 53);
  for (const char* const none :
       {"\"99999999999999999999\"", "\"\"", "\"12x\"", "\"-1\"", "\"1 2\"", "null", "true", "[1]"})
    EXPECT_EQ(count_of(JsonView(none)), 0) << none;
}

TEST(JsonPick, WrittenTimeAcceptsTextAndNumbers) {
  EXPECT_EQ(written_time(JsonView("\"2026-11-15T01:06:30.552Z\"")), "2026-11-15T01:06:30.552Z");
  EXPECT_EQ(written_time(JsonView("1794706026365")), "1794706026365");
  for (const char* const none : {"null", "true", "{}"}) EXPECT_EQ(written_time(JsonView(none)), "") << none;
}

}  // namespace
}  // namespace holdfast::inline v1
