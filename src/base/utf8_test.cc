#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

void put(std::string& out, unsigned byte) { out.push_back(static_cast<char>(byte)); }

std::string encoded(unsigned scalar) {
  std::string out;
  if (scalar < 0x80) {
    put(out, scalar);
  } else if (scalar < 0x800) {
    put(out, 0xC0 | (scalar >> 6));
    put(out, 0x80 | (scalar & 63));
  } else if (scalar < 0x10000) {
    put(out, 0xE0 | (scalar >> 12));
    put(out, 0x80 | ((scalar >> 6) & 63));
    put(out, 0x80 | (scalar & 63));
  } else {
    put(out, 0xF0 | (scalar >> 18));
    put(out, 0x80 | ((scalar >> 12) & 63));
    put(out, 0x80 | ((scalar >> 6) & 63));
    put(out, 0x80 | (scalar & 63));
  }
  return out;
}

TEST(Utf8, AcceptsScalarValuesAndRejectsSurrogates) {
  for (unsigned scalar = 0; scalar <= 0x110400; ++scalar) {
    const bool good = scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF);
    ASSERT_EQ(is_utf8(encoded(scalar)), good) << scalar;
  }
}

TEST(Utf8, ClassifiesEveryBytePair) {
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      std::string text;
      put(text, a);
      put(text, b);
      ASSERT_EQ(is_utf8(text), a < 0x80 ? b < 0x80 : a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF) << a << ' ' << b;
    }
}

TEST(Utf8, RejectsFaultsAtEveryOffset) {
  EXPECT_TRUE(is_utf8(""));
  for (const char* bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xED\xA0\x80",
                          "\xE2\x82", "\xF0\x9F\x98", "\xFF"})
    for (std::size_t before = 0; before < 20; ++before)
      for (std::size_t after = 0; after < 20; after += 3)
        EXPECT_FALSE(is_utf8(std::string(before, 'a') + bad + std::string(after, 'a')));
}

}  // namespace
}  // namespace holdfast
