// Finds the end of the plain run inside a JSON string, 16 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_PLAIN_NEON 1
#include <arm_neon.h>
#elif defined(__SSE2__) && !defined(HOLDFAST_NO_SIMD)
#define HOLDFAST_PLAIN_SSE2 1
#include <emmintrin.h>
#endif

namespace holdfast::inline v1 {

// Whether a byte stands for itself between the quotes of a JSON string.
constexpr bool is_json_plain(char byte) {
  return static_cast<unsigned char>(byte) >= 0x20 && byte != '"' && byte != '\\';
}

// Returns a word with the top bit set in each of eight bytes that is a quote, a
// backslash or below 0x20. Exact up to the first such byte, on little-endian machines.
inline std::uint64_t json_stops_in(const char* at) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  const std::uint64_t quotes = bytes ^ (kEach * '"');
  const std::uint64_t slashes = bytes ^ (kEach * '\\');
  const std::uint64_t below_space = (bytes - kEach * 0x20) & ~bytes;
  return (((quotes - kEach) & ~quotes) | ((slashes - kEach) & ~slashes) | below_space) & (kEach * 0x80);
}

// Returns the first byte in [at, end) that is a quote, a backslash or below 0x20, else
// end. Reads nothing outside the range.
inline const char* skip_json_plain(const char* at, const char* end) {
#if defined(HOLDFAST_PLAIN_NEON) || defined(HOLDFAST_PLAIN_SSE2)
  // Most strings are short: two words in general registers find the end sooner.
  for (int words = 0; words < 2 && end - at >= 8; ++words, at += 8) {
    if (const std::uint64_t stops = json_stops_in(at); stops != 0) return at + (std::countr_zero(stops) >> 3);
  }
#endif
#if defined(HOLDFAST_PLAIN_NEON)
  for (; end - at >= 16; at += 16) {
    const uint8x16_t block = vld1q_u8(reinterpret_cast<const std::uint8_t*>(at));
    const uint8x16_t marks = vorrq_u8(vceqq_u8(block, vdupq_n_u8('"')), vceqq_u8(block, vdupq_n_u8('\\')));
    const uint8x16_t stops = vorrq_u8(marks, vcltq_u8(block, vdupq_n_u8(0x20)));
    // Narrowing by four bits leaves one nibble per byte, in byte order.
    const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(stops), 4);
    const std::uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
    if (mask != 0) return at + (std::countr_zero(mask) >> 2);
  }
#elif defined(HOLDFAST_PLAIN_SSE2)
  for (; end - at >= 16; at += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    const __m128i slashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    const __m128i low = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
    const int mask = _mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(quotes, slashes)));
    if (mask != 0) return at + std::countr_zero(static_cast<unsigned>(mask));
  }
#endif
  while (at != end && is_json_plain(*at)) ++at;
  return at;
}

// The same as is_json_plain_ascii, for less than eight bytes: all of them in one word, some twice.
inline bool is_short_json_plain_ascii(std::string_view body) {
  if (body.empty()) return true;
  char word[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
  if (body.size() >= 4) {
    std::memcpy(word, body.data(), 4);
    std::memcpy(word + 4, body.data() + body.size() - 4, 4);
  } else {
    word[0] = body.front();
    word[1] = body[body.size() / 2];
    word[2] = body.back();
  }
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, word, sizeof bytes);
  return ((json_stops_in(word) | bytes) & 0x8080808080808080U) == 0;
}

// Whether all bytes of a string's body are ASCII and stand for themselves, so they
// are its text. True for most ids, times and names; no branch depends on their bytes.
inline bool is_json_plain_ascii(std::string_view body) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  const char* at = body.data();
  const char* const end = at + body.size();
  const auto odd_in_word = [](const char* word) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, word, sizeof bytes);
    return (json_stops_in(word) | bytes) & (kEach * 0x80);
  };
  if (body.size() < 8) return is_short_json_plain_ascii(body);
#if defined(HOLDFAST_PLAIN_NEON)
  if (body.size() >= 16) {
    // As signed values, non-ASCII bytes are below the space too.
    const auto odd_in = [](const char* part) {
      const int8x16_t bytes = vld1q_s8(reinterpret_cast<const std::int8_t*>(part));
      const uint8x16_t marks = vorrq_u8(vceqq_s8(bytes, vdupq_n_s8('"')), vceqq_s8(bytes, vdupq_n_s8('\\')));
      return vorrq_u8(marks, vcltq_s8(bytes, vdupq_n_s8(0x20)));
    };
    uint8x16_t odd = odd_in(end - 16);
    for (; end - at > 16; at += 16) odd = vorrq_u8(odd, odd_in(at));
    return vmaxvq_u32(vreinterpretq_u32_u8(odd)) == 0;
  }
#elif defined(HOLDFAST_PLAIN_SSE2)
  if (body.size() >= 16) {
    const auto odd_in = [](const char* part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(part));
      const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
      const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
      return _mm_or_si128(_mm_or_si128(quotes, slashes), _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
    };
    __m128i odd = odd_in(end - 16);
    for (; end - at > 16; at += 16) odd = _mm_or_si128(odd, odd_in(at));
    return _mm_movemask_epi8(odd) == 0;
  }
#endif
  std::uint64_t odd = odd_in_word(end - 8);
  for (; end - at > 8; at += 8) odd |= odd_in_word(at);
  return odd == 0;
}

}  // namespace holdfast::inline v1
