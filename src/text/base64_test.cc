#include "text/base64.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

TEST(Base64, MatchesRfcExamples) {
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, RoundTripsBytesOfAnyLength) {
  std::string bytes;
  for (int length = 0; length < 600; ++length) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(length * 7);
  }
}

TEST(Base64, RejectsNonCanonicalText) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zg==Zg==", "Zh==", "Zm9=", "Zm9v\n", "Zm 9", "Zm-_", "====", "Z==="})
    EXPECT_FALSE(from_base64(text)) << text;
}

TEST(Base64, SizeIsThatOfDecodedBytes) {
  for (std::size_t size = 0; size < 50; ++size) EXPECT_EQ(base64_size(base64(std::string(size, 'x'))), size);
  for (const std::string_view other : {"%%%%", "abc", "ab c", "=", "====", "a===", "abcd\nabc"})
    EXPECT_EQ(base64_size(other), 0u) << other;
}

}  // namespace
}  // namespace holdfast::inline v1
