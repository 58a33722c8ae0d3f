#include "text/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace holdfast {
namespace {

using namespace std::string_literals;

constexpr auto kNone = std::string_view::npos;

TEST(Utf8, encodes_every_scalar_value) {
  for (char32_t scalar = 0; scalar <= 0x10FFFF; ++scalar) {
    if (scalar >= 0xD800 && scalar <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, scalar);
    ASSERT_EQ(utf8_length(text, 0), text.size()) << static_cast<std::uint32_t>(scalar);
    ASSERT_EQ(utf8_fault(text), kNone) << static_cast<std::uint32_t>(scalar);
  }
}

TEST(Utf8, invalid_scalar_becomes_replacement_character) {
  for (const char32_t scalar : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
    std::string text;
    append_utf8(text, scalar);
    EXPECT_EQ(text, "\xEF\xBF\xBD");
  }
}

TEST(Utf8, locates_ill_formed_sequences) {
  const std::string bad[] = {"\x80"s,
                             "\xBF"s,
                             "\xC0\x80"s,
                             "\xC1\xBF"s,
                             "\xC2"s,
                             "\xC2\x20"s,
                             "\xE0\x80\x80"s,
                             "\xE0\x9F\xBF"s,
                             "\xE2\x82"s,
                             "\xED\xA0\x80"s,
                             "\xED\xBF\xBF"s,
                             "\xF0\x80\x80\x80"s,
                             "\xF0\x8F\xBF\xBF"s,
                             "\xF0\x9F\x98"s,
                             "\xF4\x90\x80\x80"s,
                             "\xF5\x80\x80\x80"s,
                             "\xFE"s,
                             "\xFF"s,
                             "\xE2\x28\xA1"s,
                             "\xF0\x28\x8C\xBC"s};
  for (const std::string& sequence : bad) {
    for (const std::size_t before : {0U, 1U, 15U, 16U, 31U, 32U, 33U, 100U}) {
      const std::string text = std::string(before, 'a') + sequence + "tail \xC3\xA9";
      EXPECT_EQ(utf8_fault(text), before) << testing::PrintToString(sequence);
      EXPECT_EQ(utf8_fault("\xC3\xA9" + text), before + 2);
      EXPECT_EQ(utf8_fault_scalar(text), before);
    }
    EXPECT_EQ(utf8_fault(std::string(40, 'x') + sequence), 40U) << "at the very end";
  }
}

TEST(Utf8, cleaning_replaces_each_bad_byte) {
  std::string out = "<";
  append_clean_utf8(out, "a\xFF\xC3\xA9\xE2\x82z\xC2");
  EXPECT_EQ(out, "<a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD");
  EXPECT_EQ(utf8_fault(out), kNone);
}

TEST(Utf8, empty_text_is_valid) {
  EXPECT_EQ(utf8_fault(""), kNone);
  EXPECT_EQ(utf8_fault({}), kNone);
  EXPECT_EQ(utf8_length("", 0), 0U);
}

}  // namespace
}  // namespace holdfast
