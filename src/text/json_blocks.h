// 64 bytes of JSON as bit masks; bit n is for byte n. Private to src/text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_BLOCKS_NEON 1
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_BLOCKS_SSE2 1
#include <emmintrin.h>
#endif

namespace holdfast::inline v1 {

// Without vectors: the reference for the others.
class JsonBlockScalar {
 public:
  explicit JsonBlockScalar(const char* at) : at_(at) {}
  std::uint64_t equal(char byte) const {
    std::uint64_t mask = 0;
    for (unsigned n = 0; n < 64; ++n) mask |= std::uint64_t{at_[n] == byte} << n;
    return mask;
  }
  std::uint64_t opens() const { return equal('{') | equal('['); }
  std::uint64_t closes() const { return equal('}') | equal(']'); }
  std::uint64_t brackets() const { return opens() | closes(); }
  // A quote, or a byte that is not allowed in a string.
  std::uint64_t string_stops() const {
    std::uint64_t mask = equal('"');
    for (unsigned n = 0; n < 64; ++n) mask |= std::uint64_t{static_cast<std::uint8_t>(at_[n]) < 0x20} << n;
    return mask;
  }
  // Bytes below 0x20. has_low() returns whether there are any.
  std::uint64_t lows() const {
    std::uint64_t mask = 0;
    for (unsigned n = 0; n < 64; ++n) mask |= std::uint64_t{static_cast<std::uint8_t>(at_[n]) < 0x20} << n;
    return mask;
  }
  bool has_low() const { return lows() != 0; }
  // The bytes that may follow a backslash in a one-letter escape: "\\/bfnrt
  std::uint64_t simple_escapes() const {
    std::uint64_t mask = 0;
    for (const char* letter = "\"\\/bfnrt"; *letter != '\0'; ++letter) mask |= equal(*letter);
    return mask;
  }
  bool has(char byte) const { return equal(byte) != 0; }
  char last() const { return at_[63]; }

  // The minimum and maximum byte over many blocks.
  struct Range {
    std::uint8_t least = 0xFF, most = 0;
    bool low() const { return least < 0x20; }
    bool high() const { return most > 0x7F; }
  };
  void widen_down(Range& range) const {
    for (unsigned n = 0; n < 64; ++n) range.least = std::min(range.least, static_cast<std::uint8_t>(at_[n]));
  }
  void widen_up(Range& range) const {
    for (unsigned n = 0; n < 64; ++n) range.most = std::max(range.most, static_cast<std::uint8_t>(at_[n]));
  }

 private:
  const char* at_;
};

#if defined(HOLDFAST_BLOCKS_NEON)

class JsonBlockNeon {
 public:
  explicit JsonBlockNeon(const char* at) : a_(load(at)), b_(load(at + 16)), c_(load(at + 32)), d_(load(at + 48)) {}
  std::uint64_t equal(char byte) const {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(byte));
    return mask(vceqq_u8(a_, wanted), vceqq_u8(b_, wanted), vceqq_u8(c_, wanted), vceqq_u8(d_, wanted));
  }
  std::uint64_t opens() const { return either('{'); }
  std::uint64_t closes() const { return either('}'); }
  std::uint64_t brackets() const { return mask(bracket(a_), bracket(b_), bracket(c_), bracket(d_)); }
  std::uint64_t string_stops() const { return mask(stop(a_), stop(b_), stop(c_), stop(d_)); }
  std::uint64_t lows() const { return mask(low(a_), low(b_), low(c_), low(d_)); }
  bool has_low() const { return vminvq_u8(vminq_u8(vminq_u8(a_, b_), vminq_u8(c_, d_))) < 0x20; }
  std::uint64_t simple_escapes() const { return mask(simple(a_), simple(b_), simple(c_), simple(d_)); }
  bool has(char byte) const {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(byte));
    const uint8x16_t front = vorrq_u8(vceqq_u8(a_, wanted), vceqq_u8(b_, wanted));
    const uint8x16_t back = vorrq_u8(vceqq_u8(c_, wanted), vceqq_u8(d_, wanted));
    return vmaxvq_u32(vreinterpretq_u32_u8(vorrq_u8(front, back))) != 0;
  }
  char last() const { return static_cast<char>(vgetq_lane_u8(d_, 15)); }

  struct Range {
    uint8x16_t least = vdupq_n_u8(0xFF), most = vdupq_n_u8(0);
    bool low() const { return vminvq_u8(least) < 0x20; }
    bool high() const { return vmaxvq_u8(most) > 0x7F; }
  };
  void widen_down(Range& range) const {
    range.least = vminq_u8(range.least, vminq_u8(vminq_u8(a_, b_), vminq_u8(c_, d_)));
  }
  void widen_up(Range& range) const { range.most = vmaxq_u8(range.most, vmaxq_u8(vmaxq_u8(a_, b_), vmaxq_u8(c_, d_))); }

 private:
  static std::uint64_t mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U));
    const uint8x16_t ab = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    const uint8x16_t cd = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    const uint8x16_t all = vpaddq_u8(ab, cd);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
  }
  static uint8x16_t load(const char* at) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(at)); }
  // kUpper has one bit for each possible upper nibble (2, 5, 6, 7); kLower the upper nibbles that go with a lower one.
  static uint8x16_t simple(uint8x16_t part) {
    constexpr std::uint8_t kUpper[16] = {0, 0, 1, 0, 0, 2, 4, 8};
    constexpr std::uint8_t kLower[16] = {0, 0, 1 | 4 | 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1};
    const uint8x16_t upper = vqtbl1q_u8(vld1q_u8(kUpper), vshrq_n_u8(part, 4));
    return vtstq_u8(upper, vqtbl1q_u8(vld1q_u8(kLower), vandq_u8(part, vdupq_n_u8(0x0F))));
  }
  static uint8x16_t stop(uint8x16_t part) { return vorrq_u8(vceqq_u8(part, vdupq_n_u8('"')), low(part)); }
  static uint8x16_t low(uint8x16_t part) { return vcltq_u8(part, vdupq_n_u8(0x20)); }
  static uint8x16_t bracket(uint8x16_t part) {
    const uint8x16_t curly = vorrq_u8(part, vdupq_n_u8(0x20));
    return vorrq_u8(vceqq_u8(curly, vdupq_n_u8('{')), vceqq_u8(curly, vdupq_n_u8('}')));
  }
  // Matches the curly bracket and the square one: they differ in one bit.
  std::uint64_t either(char curly) const {
    const uint8x16_t bit = vdupq_n_u8(0x20);
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(curly));
    return mask(vceqq_u8(vorrq_u8(a_, bit), wanted), vceqq_u8(vorrq_u8(b_, bit), wanted),
                vceqq_u8(vorrq_u8(c_, bit), wanted), vceqq_u8(vorrq_u8(d_, bit), wanted));
  }

  uint8x16_t a_, b_, c_, d_;  // not an array, which would be kept in memory
};

using JsonBlock = JsonBlockNeon;

#elif defined(HOLDFAST_BLOCKS_SSE2)

class JsonBlockSse {
 public:
  explicit JsonBlockSse(const char* at) : a_(load(at)), b_(load(at + 16)), c_(load(at + 32)), d_(load(at + 48)) {}
  std::uint64_t equal(char byte) const {
    const __m128i wanted = _mm_set1_epi8(byte);
    return mask(_mm_cmpeq_epi8(a_, wanted), _mm_cmpeq_epi8(b_, wanted), _mm_cmpeq_epi8(c_, wanted),
                _mm_cmpeq_epi8(d_, wanted));
  }
  std::uint64_t opens() const { return either('{'); }
  std::uint64_t closes() const { return either('}'); }
  std::uint64_t brackets() const { return mask(bracket(a_), bracket(b_), bracket(c_), bracket(d_)); }
  std::uint64_t string_stops() const { return mask(stop(a_), stop(b_), stop(c_), stop(d_)); }
  std::uint64_t lows() const { return mask(low(a_), low(b_), low(c_), low(d_)); }
  bool has_low() const { return bits_of(low(_mm_min_epu8(_mm_min_epu8(a_, b_), _mm_min_epu8(c_, d_)))) != 0; }
  std::uint64_t simple_escapes() const {
    std::uint64_t all = 0;
    for (const char letter : {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'}) all |= equal(letter);
    return all;
  }
  bool has(char byte) const {
    const __m128i wanted = _mm_set1_epi8(byte);
    const __m128i front = _mm_or_si128(_mm_cmpeq_epi8(a_, wanted), _mm_cmpeq_epi8(b_, wanted));
    const __m128i back = _mm_or_si128(_mm_cmpeq_epi8(c_, wanted), _mm_cmpeq_epi8(d_, wanted));
    return _mm_movemask_epi8(_mm_or_si128(front, back)) != 0;
  }
  char last() const { return static_cast<char>(_mm_extract_epi16(d_, 7) >> 8); }

  struct Range {
    __m128i least = _mm_set1_epi8(-1), most = _mm_setzero_si128();
    bool low() const {
      const __m128i top = _mm_set1_epi8(0x1F);
      return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(least, top), top)) != 0;
    }
    bool high() const { return _mm_movemask_epi8(most) != 0; }
  };
  void widen_down(Range& range) const {
    range.least = _mm_min_epu8(range.least, _mm_min_epu8(_mm_min_epu8(a_, b_), _mm_min_epu8(c_, d_)));
  }
  void widen_up(Range& range) const {
    range.most = _mm_max_epu8(range.most, _mm_max_epu8(_mm_max_epu8(a_, b_), _mm_max_epu8(c_, d_)));
  }

 private:
  static std::uint64_t bits_of(__m128i found) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found)));
  }
  static __m128i load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
  static __m128i stop(__m128i part) { return _mm_or_si128(low(part), _mm_cmpeq_epi8(part, _mm_set1_epi8('"'))); }
  static __m128i low(__m128i part) {
    const __m128i top = _mm_set1_epi8(0x1F);
    return _mm_cmpeq_epi8(_mm_max_epu8(part, top), top);
  }
  static __m128i bracket(__m128i part) {
    const __m128i curly = _mm_or_si128(part, _mm_set1_epi8(0x20));
    return _mm_or_si128(_mm_cmpeq_epi8(curly, _mm_set1_epi8('{')), _mm_cmpeq_epi8(curly, _mm_set1_epi8('}')));
  }
  std::uint64_t either(char curly) const {
    const __m128i bit = _mm_set1_epi8(0x20);
    const __m128i wanted = _mm_set1_epi8(curly);
    return mask(_mm_cmpeq_epi8(_mm_or_si128(a_, bit), wanted), _mm_cmpeq_epi8(_mm_or_si128(b_, bit), wanted),
                _mm_cmpeq_epi8(_mm_or_si128(c_, bit), wanted), _mm_cmpeq_epi8(_mm_or_si128(d_, bit), wanted));
  }
  static std::uint64_t mask(__m128i a, __m128i b, __m128i c, __m128i d) {
    return bits_of(a) | bits_of(b) << 16 | bits_of(c) << 32 | bits_of(d) << 48;
  }

  __m128i a_, b_, c_, d_;
};

using JsonBlock = JsonBlockSse;

#else

using JsonBlock = JsonBlockScalar;

#endif

// Returns 1 for '{' and '[', -1 for '}' and ']'; they differ in one bit.
constexpr int json_depth_step(char bracket) { return 1 - ((bracket >> 1) & 2); }

// Bit n of the result is set if an odd number of bits at or below n are set.
constexpr std::uint64_t json_prefix_parity(std::uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ (bits << 32);
}

// Finds the escaped bytes: those after an odd run of backslashes. Works a block at a time, without branches.
class EscapedBytes {
 public:
  std::uint64_t next(std::uint64_t backslashes) {
    constexpr std::uint64_t kEven = 0x5555555555555555U;
    backslashes &= ~first_;  // an escaped backslash escapes nothing
    const std::uint64_t behind = (backslashes << 1) | first_;
    // The addition carries through a run of backslashes; runs that start at an odd bit get the opposite parity.
    const std::uint64_t odd_starts = backslashes & ~kEven & ~behind;
    const std::uint64_t carried = odd_starts + backslashes;
    first_ = std::uint64_t{carried < backslashes};
    return (kEven ^ (carried << 1)) & behind;
  }
  // Whether the first byte of the next block is escaped.
  bool first() const { return first_ != 0; }

 private:
  std::uint64_t first_ = 0;  // 1 when the first byte of the next block is escaped
};

}  // namespace holdfast::inline v1
