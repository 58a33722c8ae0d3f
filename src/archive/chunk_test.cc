// Frames that lie: their chunk is refused, with little memory, whatever they claim or contain.
#include "archive/chunk.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <vector>

#include "archive/chunk_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::uint64_t kBomb = std::uint64_t{1} << 30;
constexpr std::size_t kAllowedKib = 64U << 10;
const std::string kPlain = "{\"type\":\"user\"}\n";

std::size_t peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

// The plain bytes of a chunk with that frame, which is named like kPlain.
Result<std::string> unpacked(const std::string& frame, std::size_t plain = kPlain.size()) {
  const std::string chunk = forged_chunk(sha256_hex(kPlain), static_cast<std::uint32_t>(plain), frame);
  const auto header = read_chunk_header(chunk);
  if (!header) return fail(Code::invalid_argument, "no header");
  return unpack_chunk(*header, std::string_view(chunk).substr(kChunkHeaderBytes));
}

TEST(Chunk, FrameThatLiesIsRefusedWithLittleMemory) {
  const std::size_t size = kPlain.size();
  const std::string sound = ForgedFrame{.stated_size = size, .content = kPlain}.bytes();
  ASSERT_EQ(unpacked(sound).value_or("refused"), kPlain);
  struct Case {
    std::string what, frame, why;
  };
  const std::string wrong_size = "does not have the size it states", unreadable = "cannot be decompressed";
  const std::vector<Case> cases{
      {"no size", ForgedFrame{.content = kPlain}.bytes(), wrong_size},
      {"no size, and a bomb", ForgedFrame{.content = kPlain, .zeros = kBomb}.bytes(), wrong_size},
      {"the size of the bomb", ForgedFrame{.stated_size = size + kBomb, .content = kPlain, .zeros = kBomb}.bytes(),
       wrong_size},
      {"the size of 16 EiB", ForgedFrame{.stated_size = ~std::uint64_t{2}, .content = kPlain}.bytes(), wrong_size},
      {"the right size, and a bomb", ForgedFrame{.stated_size = size, .content = kPlain, .zeros = kBomb}.bytes(),
       unreadable},
      {"less than its size", ForgedFrame{.stated_size = size, .content = kPlain.substr(1)}.bytes(), unreadable},
      {"other bytes", ForgedFrame{.stated_size = size, .zeros = size}.bytes(), "does not match the hash that names it"},
      {"a second frame", sound + ForgedFrame{.zeros = kBomb}.bytes(), "is not a whole frame"},
      {"a window that zstd has not", ForgedFrame{.stated_size = size, .window_log = 41, .content = kPlain}.bytes(),
       wrong_size},
  };
  const std::size_t before = peak_kib();
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const auto plain = unpacked(one.frame);
    ASSERT_FALSE(plain);
    EXPECT_EQ(plain.error().code, Code::corrupt);
    EXPECT_EQ(plain.error().message, "chunk " + sha256_hex(kPlain) + " " + one.why);
  }
  EXPECT_LT(peak_kib() - before, kAllowedKib);
}

// Whoever has checked the bytes of the frame needs no hash of what is in it. Everything else is checked.
TEST(Chunk, VouchedFrameIsNotHashed) {
  const std::size_t size = kPlain.size();
  const auto vouched = [&](const std::string& frame) {
    const std::string chunk = forged_chunk(sha256_hex("something else"), static_cast<std::uint32_t>(size), frame);
    return unpack_chunk(*read_chunk_header(chunk), std::string_view(chunk).substr(kChunkHeaderBytes), true);
  };
  const std::string sound = ForgedFrame{.stated_size = size, .content = kPlain}.bytes();
  EXPECT_EQ(vouched(sound).value_or("refused"), kPlain);
  EXPECT_FALSE(vouched(ForgedFrame{.stated_size = size, .content = kPlain, .zeros = kBomb}.bytes()));
  EXPECT_FALSE(vouched(ForgedFrame{.stated_size = size + kBomb, .content = kPlain, .zeros = kBomb}.bytes()));
  EXPECT_FALSE(vouched(ForgedFrame{.stated_size = size, .content = kPlain.substr(1)}.bytes()));
  EXPECT_FALSE(vouched(sound + sound));
  EXPECT_FALSE(vouched(sound.substr(0, sound.size() - 1)));
}

// A frame is decoded into exactly its bytes, so the window that it asks for is never allocated.
TEST(Chunk, LongWindowTakesNoMemory) {
  const std::size_t before = peak_kib();
  for (const int window_log : {10, 20, 27, 30, 31})
    EXPECT_EQ(unpacked(ForgedFrame{.stated_size = kPlain.size(), .window_log = window_log, .content = kPlain}.bytes())
                  .value_or("refused"),
              kPlain)
        << window_log;
  EXPECT_LT(peak_kib() - before, kAllowedKib);
}

// Both headers agree, and are refused before anything is decoded.
TEST(Chunk, HeaderOverTheLimitIsNoHeader) {
  const std::size_t before = peak_kib();
  const std::string most(kMaxChunk, '\0');
  const std::string chunk =
      forged_chunk(sha256_hex(most), kMaxChunk, ForgedFrame{.stated_size = kMaxChunk, .zeros = kMaxChunk}.bytes());
  const auto header = read_chunk_header(chunk);
  ASSERT_TRUE(header);
  EXPECT_EQ(unpack_chunk(*header, std::string_view(chunk).substr(kChunkHeaderBytes)).value_or("refused"), most);
  for (const std::uint64_t plain : {std::uint64_t{kMaxChunk} + 1, kBomb, std::uint64_t{0xffffffff}}) {
    const auto got = unpacked(ForgedFrame{.stated_size = plain, .zeros = plain}.bytes(), plain);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().message, "no header") << plain;
  }
  EXPECT_LT(peak_kib() - before, kAllowedKib);
}

}  // namespace
}  // namespace holdfast::inline v1
