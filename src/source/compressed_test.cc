#include "source/compressed.h"

#include <gtest/gtest.h>
#include <zstd.h>

namespace holdfast {
namespace {

std::string compress(std::string_view plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
  return out;
}

std::string some_text(std::size_t size) {
  std::string text;
  for (unsigned seed = 1; text.size() < size; seed = seed * 1664525u + 1013904223u) text += std::to_string(seed) + "\n";
  text.resize(size);
  return text;
}

TEST(Compressed, OneFrameSeveralFramesAndNone) {
  bool torn = true;
  EXPECT_EQ(*decompress_zstd(compress("hello"), 100, &torn), "hello");
  EXPECT_FALSE(torn);
  EXPECT_EQ(*decompress_zstd(compress("one ") + compress("") + compress("two"), 100), "one two");
  EXPECT_EQ(*decompress_zstd("", 100), "");
  const std::string big = some_text(3 << 20);
  EXPECT_EQ(*decompress_zstd(compress(big), 4 << 20), big);
}

TEST(Compressed, ATornLastFrameGivesItsBeginning) {
  const std::string first = some_text(1000), second = some_text(2 << 20);
  const std::string bytes = compress(first) + compress(second);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{5}, bytes.size() / 2}) {
    bool torn = false;
    const auto plain = decompress_zstd(std::string_view(bytes).substr(0, bytes.size() - cut), 8 << 20, &torn);
    ASSERT_TRUE(plain);
    EXPECT_TRUE(torn) << cut;
    EXPECT_TRUE((first + second).starts_with(*plain));
    EXPECT_GE(plain->size(), first.size());
  }
}

TEST(Compressed, GarbageAndLimits) {
  EXPECT_EQ(decompress_zstd("no frame at all", 100).error().code, Code::corrupt);
  EXPECT_EQ(decompress_zstd(compress(some_text(5000)), 4999).error().code, Code::too_large);
  EXPECT_TRUE(decompress_zstd(compress(some_text(5000)), 5000));
  bool torn = false;
  EXPECT_EQ(*decompress_zstd(compress("whole") + "garbage", 100, &torn), "whole");
  EXPECT_TRUE(torn);
}

}  // namespace
}  // namespace holdfast
