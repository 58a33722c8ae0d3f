#include "base/time.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace holdfast {
namespace {

using namespace std::chrono;
using Point = system_clock::time_point;

TEST(Time, Formats) {
  const Point time = sys_days(2026y / 11 / 15) + 3h + 15min + 42ms + 999us;
  EXPECT_EQ(iso8601(time), "2026-11-15T03:15:00.042Z");
  EXPECT_EQ(compact_utc(time), "20261115T031500Z");
  EXPECT_EQ(iso8601(Point()), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso8601(Point() - 1ns), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(compact_utc(sys_days(2024y / 2 / 29) + 23h + 59min + 59s), "20240229T235959Z");
}

TEST(Time, ParsesIso8601Variants) {
  const Point base = sys_days(2026y / 11 / 15) + 3h + 15min;
  for (const char* text :
       {"2026-11-15T03:15:00Z", "2026-11-15t03:15:00z", "2026-11-15 03:15:00.0Z", "2026-11-15T04:15:00+01:00",
        "2026-11-14T21:45:00-0530", "2026-11-15T05:15:00.000000000+02", "2026-11-15T03:14:60Z"}) {
    ASSERT_TRUE(parse_iso8601(text)) << text;
    EXPECT_EQ(*parse_iso8601(text), base) << text;
  }
  EXPECT_EQ(*parse_iso8601("2026-11-15T03:15:00.5Z"), base + 500ms);
  EXPECT_EQ(*parse_iso8601("2026-11-15T03:15:00.123456789Z"), base + 123456789ns);
}

TEST(Time, RejectsInvalidTimes) {
  for (const char* text : {"",
                           "2026",
                           "2026-11-15",
                           "2026-11-15T03:15:00",
                           "2026-11-15T03:15Z",
                           "2026-13-15T03:15:00Z",
                           "2026-02-29T00:00:00Z",
                           "2026-11-15T24:00:00Z",
                           "2026-11-15T03:60:00Z",
                           "2026-11-15T03:15:61Z",
                           "2026-11-15T03:15:00.Z",
                           "2026-11-15T03:15:00.1234567890Z",
                           "2026-11-15T03:15:00Z ",
                           " 2026-11-15T03:15:00Z",
                           "2026-11-15T03:15:00+24:00",
                           "2026-11-15T03:15:00+1",
                           "2026-1-15T03:15:00Z",
                           "+2026-11-15T03:15:00Z",
                           "0000-01-01T00:00:00Z",
                           "9999-12-31T23:59:59Z",
                           "2026-11-15T03:15:00+01:"})
    EXPECT_FALSE(parse_iso8601(text)) << text;
}

RC_GTEST_PROP(Time, RoundTrip, (std::int64_t raw)) {
  const Point time = floor<milliseconds>(Point(nanoseconds(raw / 2)));
  const auto back = parse_iso8601(iso8601(time));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == time);
}

RC_GTEST_PROP(Time, AnyBytesAreSafe, (const std::string& text)) { (void)parse_iso8601(text); }

}  // namespace
}  // namespace holdfast
