#include "find/matcher.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

std::vector<TextSpan> find_in(std::string_view text, std::vector<std::string> words, bool regex = false,
                              bool match_case = false) {
  return Matcher::make(words, regex, match_case).value().spans(text);
}

TEST(Matcher, FoldsCaseInAllOfUnicode) {
  EXPECT_EQ(find_in("Straße ÄÖÜ Σίσυφος", {"äöü"}), (std::vector<TextSpan>{{8, 14}}));
  EXPECT_EQ(find_in("ΣΊΣΥΦΟΣ", {"σίσυφος"}), (std::vector<TextSpan>{{0, 14}}));
  EXPECT_TRUE(find_in("Abc", {"abc"}, false, true).empty());
}

TEST(Matcher, WordsAreLiteralUnlessRegex) {
  EXPECT_EQ(find_in("a.c abc", {"a.c"}), (std::vector<TextSpan>{{0, 3}}));
  EXPECT_EQ(find_in("a.c abc", {"a.c"}, true), (std::vector<TextSpan>{{0, 3}, {4, 7}}));
  EXPECT_EQ(Matcher::make(std::vector<std::string>{"("}, true, false).error().code, Code::invalid_argument);
  EXPECT_EQ(Matcher::make(std::vector<std::string>{""}, false, false).error().code, Code::invalid_argument);
  EXPECT_EQ(Matcher::make(std::vector<std::string>{"\xff"}, false, false).error().code, Code::invalid_argument);
}

TEST(Matcher, SpansAreSortedAndMerged) {
  EXPECT_EQ(find_in("one two one", {"two", "one"}), (std::vector<TextSpan>{{0, 3}, {4, 7}, {8, 11}}));
  EXPECT_EQ(find_in("abcd", {"abc", "bcd"}), (std::vector<TextSpan>{{0, 4}}));
}

}  // namespace
}  // namespace holdfast::inline v1
