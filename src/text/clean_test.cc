#include "text/clean.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "text/utf8.h"
#include "text/yaml_testing.h"

namespace holdfast {
namespace {

TEST(Clean, removes_terminal_sequences) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"plain \xC3\xA9\xF0\x9F\x98\x80\n\tx", "plain \xC3\xA9\xF0\x9F\x98\x80\n\tx"},
      {"\x1b[31mred\x1b[0m", "red"},
      {"a\x1b[?25l\x1b[1;2 qb", "ab"},
      {"a\x1b]0;title\x07"
       "b",
       "ab"},
      {"a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"},
      {"a\x1bPq#1\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e", "abcde"},
      {"a\xC2\x9B"
       "31mb\xC2\x9D"
       "0;t\xC2\x9C"
       "c\xC2\x90q\x1b\\d",
       "abcd"},
      {"a\x1b(Bb\x1b"
       "7c\x1b"
       "cd\x1b",
       "abcd"},
      {"a\x1b[31", "a"},
      {"a\x1b[3\n1m", "a\n1m"},
      {"a\x1b\nb", "a\nb"},
      {"a\x1b]0;never closed\nb", "a0;never closed\nb"},
      {"a\x1b\x1b[1mb", "ab"},
      {"a\x1b\xE4\xB8\xAD", "a\xE4\xB8\xAD"},
  };
  for (const auto& [text, clean] : cases) EXPECT_EQ(clean, clean_for_terminal(text));
}

TEST(Clean, removes_controls_and_bidi) {
  EXPECT_EQ("ab", clean_for_terminal(std::string("a\0\x01\x08\x0b\x0c\x1f\x7f"
                                                 "b",
                                                 9)));
  EXPECT_EQ("ab\nc\nd", clean_for_terminal("a\rb\r\nc\r\r\nd"));
  EXPECT_EQ("ab", clean_for_terminal("a\xC2\x80\xC2\x85\xC2\x9F"
                                     "b"));
  EXPECT_EQ("ab", clean_for_terminal("a\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C"
                                     "b"));
  EXPECT_EQ(
      "a\xEF\xBF\xBD\xEF\xBF\xBD"
      "b",
      clean_for_terminal("a\xFF\x9B"
                         "b"));
  EXPECT_EQ("\xEF\xBF\xBD[31m", clean_for_terminal("\x9B[31m"));
  EXPECT_EQ("\xE2\x80\xA9\xE2\x81\xA5", clean_for_terminal("\xE2\x80\xA9\xE2\x81\xA5"));
}

TEST(Clean, handles_many_open_strings) {
  std::string text;
  for (int left = 0; left < 500'000; ++left) text += "\x1b]";
  EXPECT_EQ("", clean_for_terminal(text));
  EXPECT_EQ("a\nb", clean_for_terminal("\x1b]a\n\x1b]x\x07"
                                       "b"));
}

TEST(Clean, respects_options) {
  EXPECT_EQ("\xE2\x90\x9B[31mx\xE2\x90\x8D\xE2\x90\xA1<U+009B><U+202E>\n",
            clean_for_terminal("\x1b[31mx\r\x7f\xC2\x9B\xE2\x80\xAE\r\n", {.visible = true}));
  EXPECT_EQ("a b c", clean_for_terminal("a\tb\r\nc", {.one_line = true}));
  EXPECT_EQ("ab\xE2\x80\xA6", clean_for_terminal("abcdef", {.max_bytes = 5}));
  EXPECT_EQ("abcde", clean_for_terminal("abcde", {.max_bytes = 5}));
  EXPECT_EQ("a\xE2\x80\xA6", clean_for_terminal("a\xC3\xA9"
                                                "bcd",
                                                {.max_bytes = 5}));
  EXPECT_EQ("", clean_for_terminal("abc", {.max_bytes = 2}));
}

RC_GTEST_PROP(CleanProperty, nothing_dangerous_is_left, ()) {
  std::string text;
  for (int left = *rc::gen::inRange(0, 20); left > 0; --left) {
    text += nasty_pick({"\x1b", "[",    "]",    "P",    "\\",   "31m",          "0;t",
                        "\x07", "\xC2", "\x9B", "\x9D", "\x9C", "\xE2\x80\xAE", "\xE2",
                        "\x80", "\r",   "\n",   "\t",   "x",    nasty_string()});
  }
  const bool visible = *rc::gen::arbitrary<bool>();
  const std::string clean = clean_for_terminal(text, {.visible = visible});
  RC_ASSERT(utf8_fault(clean) == std::string::npos);
  RC_ASSERT(clean.size() <= text.size() * (visible ? 9 : 3));
  for (std::size_t at = 0; at < clean.size(); ++at) {
    const auto byte = static_cast<unsigned char>(clean[at]);
    RC_ASSERT((byte >= 0x20 || byte == '\n' || byte == '\t'));
    RC_ASSERT(byte != 0x7F);
    if (byte == 0xC2) RC_ASSERT(static_cast<unsigned char>(clean[at + 1]) > 0x9F);
  }
  for (const std::string bidi : {"\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8F", "\xD8\x9C"}) {
    RC_ASSERT(clean.find(bidi) == std::string::npos);
  }
  RC_ASSERT(clean_for_terminal(clean) == clean);
  const std::size_t limit = *rc::gen::inRange<std::size_t>(0, 20);
  const std::string shorter = clean_for_terminal(text, {.visible = visible, .max_bytes = limit});
  RC_ASSERT(shorter.size() <= limit);
  RC_ASSERT(utf8_fault(shorter) == std::string::npos);
}

TEST(Clean, KeepsColorsOnRequest) {
  const std::string text = "\x1b[1;31mred\x1b[0m \x1b[2J\x1b]0;t\x07\x1b[31";
  EXPECT_EQ(clean_for_terminal(text), "red ");
  EXPECT_EQ(clean_for_terminal(text, {.keep_colours = true}), "\x1b[1;31mred\x1b[0m ");
}

TEST(Clean, EscapesControlsInJson) {
  EXPECT_EQ(escape_controls_in_json("{\"a\":\"\xC2\x9Bx\x7F\xE2\x80\xAE\xC3\xA9\"}"),
            "{\"a\":\"\\u009bx\\u007f\\u202e\xC3\xA9\"}");
  EXPECT_EQ(escape_controls_in_json("[\"plain\"]"), "[\"plain\"]");
}

}  // namespace
}  // namespace holdfast
