#include "base/hash.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace holdfast {
namespace {

TEST(Hash, Xxh3KnownVectors) {
  EXPECT_EQ(xxh3_hex(""), "99aa06d3014798d86001c324468d497f");  // from the xxHash specification
  EXPECT_EQ(xxh3_hex("a").size(), 32U);
  EXPECT_NE(xxh3_hex("a"), xxh3_hex("b"));
}

TEST(Hash, Sha256KnownVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, Crc32cKnownVectors) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c_portable("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720 B.4
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

RC_GTEST_PROP(Hash, Crc32cInstructionAgreesWithTables, (const std::string& text, std::uint32_t seed)) {
  const std::string longer = text + text + text;
  for (std::size_t from = 0; from < 9 && from <= longer.size(); ++from) {
    const std::string_view piece = std::string_view(longer).substr(from);
    RC_ASSERT(crc32c(piece, seed) == crc32c_portable(piece, seed));
  }
}

RC_GTEST_PROP(Hash, Crc32cChains, (const std::string& a, const std::string& b)) {
  RC_ASSERT(crc32c(b, crc32c(a)) == crc32c(a + b));
  RC_ASSERT(crc32c_portable(b, crc32c_portable(a)) == crc32c(a + b));
}

RC_GTEST_PROP(Hash, StreamEqualsOneShot, (const std::vector<std::string>& pieces)) {
  Xxh3Stream stream;
  std::string whole;
  for (const auto& piece : pieces) {
    stream.add(piece);
    whole += piece;
    RC_ASSERT(stream.hex() == xxh3_hex(whole));
  }
}

TEST(Hash, MovedStreamContinuesHashing) {
  const std::string block(100'003, 'x');
  Xxh3Stream stream;
  stream.add("");
  stream.add(block);
  Xxh3Stream moved = std::move(stream);
  moved.add(block);
  EXPECT_EQ(moved.hex(), xxh3_hex(block + block));
}

}  // namespace
}  // namespace holdfast
