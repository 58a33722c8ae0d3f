// 64 bytes of JSON as bit masks, bit n for byte n. Private to src/text.
#pragma once

#include <cstdint>

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_BLOCKS_NEON 1
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_BLOCKS_SSE2 1
#include <emmintrin.h>
#endif

namespace holdfast::inline v1 {

// Without vectors: what the others are compared with.
class JsonBlockByByte {
 public:
  explicit JsonBlockByByte(const char* at) : at_(at) {}
  std::uint64_t equal(char byte) const {
    std::uint64_t mask = 0;
    for (unsigned n = 0; n < 64; ++n) mask |= std::uint64_t{at_[n] == byte} << n;
    return mask;
  }
  // '{' or '[', '}' or ']': they differ in one bit.
  std::uint64_t opens() const { return equal('{') | equal('['); }
  std::uint64_t closes() const { return equal('}') | equal(']'); }

  // What the bytes of many blocks have in common.
  struct Range {
    std::uint8_t least = 0xFF, most = 0;
    bool low() const { return least < 0x20; }
    bool high() const { return most > 0x7F; }
  };
  void widen(Range& range) const {
    for (unsigned n = 0; n < 64; ++n) {
      const auto byte = static_cast<std::uint8_t>(at_[n]);
      if (byte < range.least) range.least = byte;
      if (byte > range.most) range.most = byte;
    }
  }

 private:
  const char* at_;
};

#if defined(HOLDFAST_BLOCKS_NEON)

class JsonBlockNeon {
 public:
  explicit JsonBlockNeon(const char* at) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(at);
    for (int part = 0; part < 4; ++part) block_[part] = vld1q_u8(bytes + 16 * part);
  }
  std::uint64_t equal(char byte) const {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(byte));
    return mask(vceqq_u8(block_[0], wanted), vceqq_u8(block_[1], wanted), vceqq_u8(block_[2], wanted),
                vceqq_u8(block_[3], wanted));
  }
  std::uint64_t opens() const { return either('{'); }
  std::uint64_t closes() const { return either('}'); }

  struct Range {
    uint8x16_t least = vdupq_n_u8(0xFF), most = vdupq_n_u8(0);
    bool low() const { return vminvq_u8(least) < 0x20; }
    bool high() const { return vmaxvq_u8(most) > 0x7F; }
  };
  void widen(Range& range) const {
    range.least = vminq_u8(range.least, vminq_u8(vminq_u8(block_[0], block_[1]), vminq_u8(block_[2], block_[3])));
    range.most = vmaxq_u8(range.most, vmaxq_u8(vmaxq_u8(block_[0], block_[1]), vmaxq_u8(block_[2], block_[3])));
  }

 private:
  static std::uint64_t mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    const uint8x16_t ab = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    const uint8x16_t cd = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    const uint8x16_t all = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
  }
  std::uint64_t either(char curly) const {
    const uint8x16_t bit = vdupq_n_u8(0x20);
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(curly));
    return mask(vceqq_u8(vorrq_u8(block_[0], bit), wanted), vceqq_u8(vorrq_u8(block_[1], bit), wanted),
                vceqq_u8(vorrq_u8(block_[2], bit), wanted), vceqq_u8(vorrq_u8(block_[3], bit), wanted));
  }

  uint8x16_t block_[4];
};

using JsonBlock = JsonBlockNeon;

#elif defined(HOLDFAST_BLOCKS_SSE2)

class JsonBlockSse {
 public:
  explicit JsonBlockSse(const char* at) {
    for (int part = 0; part < 4; ++part)
      block_[part] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
  }
  std::uint64_t equal(char byte) const { return mask(0, byte); }
  std::uint64_t opens() const { return mask(0x20, '{'); }
  std::uint64_t closes() const { return mask(0x20, '}'); }

  struct Range {
    __m128i least = _mm_set1_epi8(-1), most = _mm_setzero_si128();
    bool low() const {
      const __m128i top = _mm_set1_epi8(0x1F);
      return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(least, top), top)) != 0;
    }
    bool high() const { return _mm_movemask_epi8(most) != 0; }
  };
  void widen(Range& range) const {
    for (const __m128i& part : block_) {
      range.least = _mm_min_epu8(range.least, part);
      range.most = _mm_max_epu8(range.most, part);
    }
  }

 private:
  std::uint64_t mask(char bits, char byte) const {
    std::uint64_t all = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i with = _mm_or_si128(block_[part], _mm_set1_epi8(bits));
      const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(with, _mm_set1_epi8(byte)));
      all |= static_cast<std::uint64_t>(static_cast<unsigned>(found)) << (16 * part);
    }
    return all;
  }

  __m128i block_[4];
};

using JsonBlock = JsonBlockSse;

#else

using JsonBlock = JsonBlockByByte;

#endif

}  // namespace holdfast::inline v1
