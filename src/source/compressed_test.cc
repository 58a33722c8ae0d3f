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

TEST(Compressed, DecompressesAnyNumberOfFrames) {
  bool torn = true;
  EXPECT_EQ(*decompress_zstd(compress("hello"), 100, &torn), "hello");
  EXPECT_FALSE(torn);
  EXPECT_EQ(*decompress_zstd(compress("one ") + compress("") + compress("two"), 100), "one two");
  EXPECT_EQ(*decompress_zstd("", 100), "");
  const std::string big = some_text(3 << 20);
  EXPECT_EQ(*decompress_zstd(compress(big), 4 << 20), big);
}

TEST(Compressed, TornLastFrameYieldsItsBeginning) {
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

TEST(Compressed, RejectsGarbageAndEnforcesLimit) {
  EXPECT_EQ(decompress_zstd("no frame at all", 100).error().code, Code::corrupt);
  EXPECT_EQ(decompress_zstd(compress(some_text(5000)), 4999).error().code, Code::too_large);
  EXPECT_TRUE(decompress_zstd(compress(some_text(5000)), 5000));
  bool torn = false;
  EXPECT_EQ(*decompress_zstd(compress("whole") + "garbage", 100, &torn), "whole");
  EXPECT_TRUE(torn);
}

TEST(Compressed, UnpacksInPiecesUpToLimit) {
  const std::string big(40 << 20, 'x');
  std::string packed = compress(big);
  ASSERT_LT(packed.size(), 10'000u);
  EXPECT_EQ(plain_limit(packed.size()), std::uint64_t{8} << 20);
  EXPECT_EQ(plain_limit(1 << 20), std::uint64_t{1000} << 20);
  EXPECT_EQ(plain_limit(std::uint64_t{1} << 40), std::uint64_t{1} << 30);
  std::size_t largest = 0, all = 0;
  const auto unpack = [&](std::uint64_t limit, std::size_t at_once) {
    largest = all = 0;
    std::string_view left = packed;
    return unpack_zstd(
        [&]() -> Result<std::string_view> {
          const std::string_view next = left.substr(0, at_once);
          left.remove_prefix(next.size());
          return next;
        },
        limit,
        [&](std::string_view piece) {
          largest = std::max(largest, piece.size());
          all += piece.size();
          return true;
        });
  };
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{100}, packed.size()}) {
    EXPECT_EQ(*unpack(big.size(), at_once), UnpackStatus::whole);
    EXPECT_EQ(all, big.size());
    EXPECT_LE(largest, std::size_t{1} << 20);
    EXPECT_EQ(*unpack(big.size() - 1, at_once), UnpackStatus::too_large);
    EXPECT_LT(all, big.size());
  }
  packed.resize(packed.size() - 3);
  EXPECT_EQ(*unpack(big.size(), 7), UnpackStatus::torn);
  packed = "no frame";
  EXPECT_EQ(*unpack(big.size(), 7), UnpackStatus::damaged);
}

// A frame whose header asks for a window of 1 GiB.
TEST(Compressed, RefusesHugeWindow) {
  const std::string frame("\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00", 9);
  EXPECT_EQ(decompress_zstd(frame, 100).error().code, Code::too_large);
}

}  // namespace
}  // namespace holdfast
