#include "model/time_formats.h"

#include <gtest/gtest.h>

#include <string>

#include "base/time.h"

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

TEST(TimeFormats, RecognizesTimesInTheFormatOfAnswers) {
  for (const char* text : {"2026-11-15T03:15:00.042Z", "1678-01-01T00:00:00.000Z", "2261-12-31T23:59:59.999Z",
                           "2024-02-29T19:49:39.899Z"}) {
    EXPECT_TRUE(is_iso_time(text)) << text;
    EXPECT_EQ(to_iso_time(text), text);
  }
  for (const char* text :
       {"Z", "2026-13-15T03:15:00.042Z", "2026-00-15T03:15:00.042Z", "2026-11-00T03:15:00.042Z",
        "2026-11-31T03:15:00.042Z", "2026-02-29T03:15:00.042Z", "2026-11-15T24:00:00.000Z", "2026-11-15T03:60:00.042Z",
        "2026-11-15T03:15:60.042Z", "2026-11-15T03:15:00.04Z", "2026-11-15T03:15:00.0420Z", "2026-11-15T03:15:00Z",
        "2026-11-15T03:15+00:0042", "2026-11-15T03:15:00.042+00:00", " 2026-11-15T03:15:00.042Z"}) {
    EXPECT_FALSE(is_iso_time(text)) << text;
    EXPECT_NE(to_iso_time(text), text);
  }
  EXPECT_FALSE(is_iso_time(""));
  // Years that are not whole on the clock are left to the parser.
  for (const char* text : {"1677-12-31T23:59:59.999Z", "2262-01-01T00:00:00.000Z"})
    EXPECT_FALSE(is_iso_time(text)) << text;
  for (const char* text : {"1677-01-01T00:00:00.000Z", "2262-12-31T00:00:00.000Z", "0000-01-01T00:00:00.000Z"}) {
    EXPECT_FALSE(is_iso_time(text)) << text;
    EXPECT_EQ(to_iso_time(text), "") << text;
  }
}

// One byte differs: ':' and '/' are beside the digits, bytes above 0x7F could carry into the next one.
TEST(TimeFormats, RecognizesWhatTheParserWouldWriteAgain) {
  const std::string time = "2026-11-15T03:15:09.042Z";
  for (std::size_t at = 0; at < time.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = time;
      text[at] = static_cast<char>(byte);
      const auto parsed = parse_any_time(text);
      EXPECT_EQ(is_iso_time(text), parsed && iso8601(*parsed) == text) << text;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
