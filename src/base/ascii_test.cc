#include "base/ascii.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Ascii, ChangesTheCaseOfItsOwnLettersOnly) {
  EXPECT_EQ(in_lower_case("AZaz09@[`{ÄÖ"), "azaz09@[`{ÄÖ");
  EXPECT_EQ(in_upper_case("AZaz09@[`{äö"), "AZAZ09@[`{äö");
}

TEST(Ascii, ClassesHaveNoOtherBytes) {
  std::string letters, digits;
  for (int byte = -128; byte < 128; ++byte) {
    const char c = static_cast<char>(byte);
    if (is_ascii_letter(c)) letters += c;
    if (is_ascii_digit(c)) digits += c;
    EXPECT_EQ(is_ascii_alnum(c), is_ascii_letter(c) || is_ascii_digit(c));
  }
  EXPECT_EQ(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(digits, "0123456789");
}

}  // namespace
}  // namespace holdfast::inline v1
