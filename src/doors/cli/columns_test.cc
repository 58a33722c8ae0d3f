#include "doors/cli/columns.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Columns, WidthMatchesTheTerminal) {
  EXPECT_EQ(shown_width("plain"), 5U);
  EXPECT_EQ(shown_width("日本"), 4U);
  EXPECT_EQ(shown_width("한국"), 4U);
  EXPECT_EQ(shown_width("🎉"), 2U);
  EXPECT_EQ(shown_width("e\u0301"), 1U) << "a combining accent takes no place";
  EXPECT_EQ(shown_width("a\u200b\u200db"), 2U) << "invisible";
  EXPECT_EQ(shown_width("\x1b[1;31mred\x1b[0m"), 3U);
  EXPECT_EQ(shown_width("ünï"), 3U);
  EXPECT_EQ(shown_width("\xff\xe6\x97"), 2U) << "broken bytes take a place each, and end";
}

TEST(Columns, CutsBetweenCharacters) {
  EXPECT_EQ(fit_columns("plain", 5), "plain");
  EXPECT_EQ(fit_columns("plainer", 5), "plai…");
  EXPECT_EQ(fit_columns("日本語", 5), "日本…");
  EXPECT_EQ(fit_columns("日本語", 4), "日…") << "no half of a wide character";
  EXPECT_EQ(fit_columns("ae\u0301b", 2), "a…");
  EXPECT_EQ(fit_columns("ae\u0301", 2), "ae\u0301");
  EXPECT_EQ(fit_columns("ae\u0301bc", 3), "ae\u0301…") << "the accent stays with its letter";
  EXPECT_EQ(fit_columns("x", 0), "");
  EXPECT_EQ(pad_columns("日", 4), "日  ");
  EXPECT_EQ(pad_columns("日本語", 4), "日… ");
  EXPECT_EQ(fit_end("/home/me/project", 10), "…e/project");
  EXPECT_EQ(fit_end("日本語", 4), "…語");
  for (std::size_t width = 0; width < 12; ++width) {
    EXPECT_LE(shown_width(fit_columns("ab日e\u0301🎉cdé本z", width)), width);
    EXPECT_LE(shown_width(fit_end("ab日e\u0301🎉cdé本z", width)), width);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
