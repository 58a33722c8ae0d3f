#include "model/time_formats.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(TimeFormats, ReadsSecondsMillisecondsAndMicroseconds) {
  EXPECT_EQ(to_iso_time("1700000000"), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(to_iso_time("1700000000123"), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(to_iso_time("1700000000123456"), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(to_iso_time("2023-11-14T22:13:20+00:00"), "2023-11-14T22:13:20.000Z");
}

TEST(TimeFormats, ReadsNumbersWithFraction) {
  EXPECT_EQ(to_iso_time("1700000000.559"), "2023-11-14T22:13:20.559Z");
  EXPECT_EQ(to_iso_time("1700000000.000001"), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(to_iso_time("1700000000123.75"), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(to_iso_time("1.700000000559e9"), "2023-11-14T22:13:20.559Z");
}

TEST(TimeFormats, RejectsInvalidAndOutOfRangeTimes) {
  for (const char* text : {"", "x", "-1", "99999999999999999", "9223372036854775807", "99999999999999999999", "-0.5",
                           "nan", "inf", "1700000000.5s"})
    EXPECT_FALSE(parse_any_time(text)) << text;
  EXPECT_TRUE(parse_any_time("9199999999999999"));
}

}  // namespace
}  // namespace holdfast::inline v1
