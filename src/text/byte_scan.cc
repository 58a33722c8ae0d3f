#include "text/byte_scan.h"

#include <algorithm>
#include <bit>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holdfast::inline v1 {
namespace {

bool stands(const BytePair& pair, std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  return (byte(at) | pair.first_mask) == pair.first && (byte(at + pair.distance) | pair.second_mask) == pair.second;
}

PairMatch find_plainly(std::span<const BytePair> pairs, std::string_view text, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (at + pairs[i].distance < text.size() && stands(pairs[i], text, at)) return {at, i};
    }
  }
  return {};
}

#if defined(__ARM_NEON)
using Vector = uint8x16_t;
Vector load(const char* at) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(at)); }
Vector all(std::uint8_t byte) { return vdupq_n_u8(byte); }
Vector both(Vector a, Vector b) { return vandq_u8(a, b); }
Vector either(Vector a, Vector b) { return vorrq_u8(a, b); }
Vector equal(Vector a, Vector b) { return vceqq_u8(a, b); }
bool any(Vector v) { return vmaxvq_u32(vreinterpretq_u32_u8(v)) != 0; }
// Returns the index of the first byte that is set; there must be one.
std::size_t first_of(Vector v) {
  const std::uint64_t nibbles = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(v), 4)), 0);
  return static_cast<std::size_t>(std::countr_zero(nibbles)) / 4;
}
#define HOLDFAST_VECTORS 1
#elif defined(__SSE2__)
using Vector = __m128i;
Vector load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }
Vector all(std::uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
Vector both(Vector a, Vector b) { return _mm_and_si128(a, b); }
Vector either(Vector a, Vector b) { return _mm_or_si128(a, b); }
Vector equal(Vector a, Vector b) { return _mm_cmpeq_epi8(a, b); }
bool any(Vector v) { return _mm_movemask_epi8(v) != 0; }
std::size_t first_of(Vector v) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(v))));
}
#define HOLDFAST_VECTORS 1
#endif

#if defined(HOLDFAST_VECTORS)

constexpr std::size_t kVector = 16;
constexpr std::size_t kStride = 4 * kVector;  // bytes per branch

// A fixed kCount keeps the constants of all pairs in registers. Only the first kLoose pairs have masks.
template <std::size_t kCount, std::size_t kLoose>
PairMatch find_vectors(std::span<const BytePair> pairs, std::string_view text, std::size_t from) {
  Vector first[kCount], first_mask[kCount], second[kCount], second_mask[kCount];
  std::size_t distance[kCount];
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    first[i] = all(pairs[i].first);
    first_mask[i] = all(pairs[i].first_mask);
    second[i] = all(pairs[i].second);
    second_mask[i] = all(pairs[i].second_mask);
    distance[i] = pairs[i].distance;
    farthest = std::max(farthest, distance[i]);
  }
  const auto look = [&](const char* at) {
    const Vector here = load(at);
    Vector found = all(0);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Vector there = load(at + distance[i]);
      const bool loose = i < kLoose;
      found = either(found, both(equal(loose ? either(here, first_mask[i]) : here, first[i]),
                                 equal(loose ? either(there, second_mask[i]) : there, second[i])));
    }
    return found;
  };
  std::size_t at = from;
  while (at + kStride + farthest <= text.size()) {
    const char* const base = text.data() + at;
    const Vector lanes[] = {look(base), look(base + kVector), look(base + 2 * kVector), look(base + 3 * kVector)};
    if (any(either(either(lanes[0], lanes[1]), either(lanes[2], lanes[3])))) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        if (!any(lanes[lane])) continue;
        const std::size_t place = at + lane * kVector + first_of(lanes[lane]);
        return find_plainly(pairs, text, place, place + 1);
      }
    }
    at += kStride;
  }
  return find_plainly(pairs, text, at, text.size());
}

// The search term comes first, with its letters in either case; the other pairs usually have no masks.
template <std::size_t kCount>
PairMatch find_vectors(std::span<const BytePair> pairs, std::string_view text, std::size_t from) {
  const bool bare = std::ranges::all_of(
      pairs.subspan(1), [](const BytePair& pair) { return pair.first_mask == 0 && pair.second_mask == 0; });
  return bare ? find_vectors<kCount, 1>(pairs, text, from) : find_vectors<kCount, kCount>(pairs, text, from);
}

#endif

}  // namespace

PairMatch find_pair_portable(std::span<const BytePair> pairs, std::string_view text, std::size_t from) {
  return find_plainly(pairs, text, from, text.size());
}

PairMatch find_pair(std::span<const BytePair> pairs, std::string_view text, std::size_t from) {
#if defined(HOLDFAST_VECTORS)
  switch (pairs.size()) {
    case 1: return find_vectors<1>(pairs, text, from);
    case 2: return find_vectors<2>(pairs, text, from);
    case 3: return find_vectors<3>(pairs, text, from);
    case 4: return find_vectors<4>(pairs, text, from);
    default: break;
  }
#endif
  return find_pair_portable(pairs, text, from);
}

}  // namespace holdfast::inline v1
