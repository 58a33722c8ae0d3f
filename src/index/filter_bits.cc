#include "index/filter_bits.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBytes = 60;  // of bits; a check of 4 bytes follows
constexpr std::uint32_t kBits = kBytes * 8;
constexpr std::size_t kInBlock = 46;  // trigrams that a block is made for: 10.4 bits each
constexpr unsigned kTimes = 4;        // bits a trigram

std::uint64_t mixed(std::uint32_t trigram) {
  std::uint64_t h = (trigram + 1) * 0x9E3779B97F4A7C15U;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93U;
  return h ^ h >> 32;
}

// The bits of a trigram in its block.
std::array<std::uint32_t, kTimes> bits_of(std::uint32_t trigram) {
  std::uint64_t h = mixed(trigram) * 0xFF51AFD7ED558CCDU;
  h ^= h >> 29;
  std::array<std::uint32_t, kTimes> bits{};
  for (unsigned i = 0; i < kTimes; ++i) bits[i] = static_cast<std::uint32_t>((h >> 16 * i & 0xFFFFU) * kBits >> 16);
  return bits;
}

std::uint32_t check_of(const FilterShape& shape, std::string_view block, std::uint32_t number) {
  const auto seed = static_cast<std::uint32_t>(shape.serial ^ shape.serial >> 32) + number * 0x9E3779B9U;
  return crc32c(block.substr(0, kBytes), seed);
}

}  // namespace

FilterShape filter_shape(std::size_t count, std::uint64_t serial) {
  return {serial, static_cast<std::uint32_t>(std::max<std::size_t>((count + kInBlock - 1) / kInBlock, 1))};
}

std::string empty_filter(const FilterShape& shape) { return std::string(shape.blocks * kFilterBlock, '\0'); }

std::uint32_t block_of(const FilterShape& shape, std::uint32_t trigram) {
  return static_cast<std::uint32_t>((mixed(trigram) >> 32) * shape.blocks >> 32);
}

void add_to_filter(const FilterShape& shape, std::string& bits, std::span<const std::uint32_t> trigrams) {
  for (const std::uint32_t trigram : trigrams) {
    const std::size_t block = block_of(shape, trigram) * kFilterBlock;
    for (const std::uint32_t bit : bits_of(trigram)) {
      char& byte = bits[block + bit / 8];
      byte = static_cast<char>(byte | 1 << bit % 8);
    }
  }
  for (std::uint32_t number = 0; number < shape.blocks; ++number) {
    const std::size_t at = number * kFilterBlock;
    const std::uint32_t check = check_of(shape, std::string_view(bits).substr(at, kFilterBlock), number);
    for (unsigned i = 0; i < 4; ++i) bits[at + kBytes + i] = static_cast<char>(check >> 8 * i);
  }
}

FilterSays ask_block(const FilterShape& shape, std::span<const char, kFilterBlock> block, std::uint32_t trigram) {
  const std::string_view bytes(block.data(), block.size());
  std::uint32_t check = 0;
  for (unsigned i = 0; i < 4; ++i)
    check |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[kBytes + i])) << 8 * i;
  if (check != check_of(shape, bytes, block_of(shape, trigram))) return FilterSays::broken;
  for (const std::uint32_t bit : bits_of(trigram)) {
    if ((bytes[bit / 8] >> bit % 8 & 1) == 0) return FilterSays::no;
  }
  return FilterSays::maybe;
}

}  // namespace holdfast::inline v1
