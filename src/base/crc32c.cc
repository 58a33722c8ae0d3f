// CRC-32C with the processor's instruction if it has one, else with eight tables.
// The first call detects the instruction.
#include <array>
#include <bit>
#include <cstring>

#include "base/hash.h"

#if defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace holdfast::inline v1 {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

consteval Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t row = 1; row < 8; ++row)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[row - 1][byte];
      tables[row][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint64_t load_little_endian(const char* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

#if defined(__aarch64__)

#if defined(__clang__)
#define HOLDFAST_CRC_TARGET __attribute__((target("crc")))
#else
#define HOLDFAST_CRC_TARGET __attribute__((target("+crc")))
#endif

bool have_instruction() { return (::getauxval(AT_HWCAP) & (1UL << 7)) != 0; }  // HWCAP_CRC32

HOLDFAST_CRC_TARGET std::uint32_t by_instruction(std::string_view bytes, std::uint32_t crc) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) crc = __crc32cd(crc, load_little_endian(at));
  for (; left > 0; ++at, --left) crc = __crc32cb(crc, static_cast<std::uint8_t>(*at));
  return crc;
}

#elif defined(__x86_64__)

bool have_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::string_view bytes, std::uint32_t crc) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = crc;
  for (; left >= 8; at += 8, left -= 8) wide = _mm_crc32_u64(wide, load_little_endian(at));
  crc = static_cast<std::uint32_t>(wide);
  for (; left > 0; ++at, --left) crc = _mm_crc32_u8(crc, static_cast<std::uint8_t>(*at));
  return crc;
}

#else

bool have_instruction() { return false; }
std::uint32_t by_instruction(std::string_view, std::uint32_t crc) { return crc; }

#endif

}  // namespace

std::uint32_t crc32c_portable(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    const std::uint64_t word = load_little_endian(at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTables[7 - i][(word >> (8 * i)) & 0xFF];
  }
  for (; left > 0; ++at, --left) crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(*at)) & 0xFF];
  return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
  static const bool have = have_instruction();
  return have ? ~by_instruction(bytes, ~seed) : crc32c_portable(bytes, seed);
}

}  // namespace holdfast::inline v1
