#include "index/filter_bits.h"

#include <algorithm>

#include "base/hash.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kBytes = 60;  // of bits; a checksum of 4 bytes follows
constexpr std::uint32_t kBits = kBytes * 8;
constexpr std::size_t kInBlock = 46;  // trigrams per block by design: 10.4 bits each
constexpr unsigned kTimes = 3;        // bits per trigram

// The upper half selects the block, the lower half the bits.
std::uint64_t mixed(std::uint32_t trigram) {
  std::uint64_t h = (trigram + 1) * 0x9E3779B97F4A7C15U;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93U;
  return h ^ h >> 32;
}

std::uint32_t block_in(const FilterShape& shape, std::uint64_t hash) {
  return static_cast<std::uint32_t>((hash >> 32) * shape.blocks >> 32);
}

std::uint32_t bit_in(std::uint64_t hash, unsigned time) {
  return static_cast<std::uint32_t>((hash >> 10 * time & 0x3FFU) * kBits >> 10);
}

std::uint32_t check_of(const FilterShape& shape, std::string_view block, std::uint32_t number) {
  const auto seed = static_cast<std::uint32_t>(shape.serial ^ shape.serial >> 32) + number * 0x9E3779B9U;
  return crc32c(block.substr(0, kBytes), seed);
}

}  // namespace

FilterShape filter_shape(std::size_t count, std::uint64_t serial) {
  constexpr std::size_t kInRow = kInBlock * kFilterRows;
  const std::size_t width = std::max<std::size_t>((count + kInRow - 1) / kInRow, 1);
  return {serial, static_cast<std::uint32_t>(width) * kFilterRows};
}

std::string empty_filter(const FilterShape& shape) { return std::string(shape.blocks * kFilterBlock, '\0'); }

std::uint32_t block_of(const FilterShape& shape, std::uint32_t trigram) { return block_in(shape, mixed(trigram)); }

void add_to_filter(const FilterShape& shape, std::string& bits, std::span<const std::uint32_t> trigrams) {
  char* const begin = bits.data();
  for (const std::uint32_t trigram : trigrams) {
    const std::uint64_t hash = mixed(trigram);
    char* const block = begin + std::size_t{block_in(shape, hash)} * kFilterBlock;
    for (unsigned time = 0; time < kTimes; ++time) {
      const std::uint32_t bit = bit_in(hash, time);
      block[bit / 8] = static_cast<char>(block[bit / 8] | 1 << bit % 8);
    }
  }
  for (std::uint32_t number = 0; number < shape.blocks; ++number) {
    const std::size_t at = number * kFilterBlock;
    const std::uint32_t check = check_of(shape, std::string_view(bits).substr(at, kFilterBlock), number);
    for (unsigned i = 0; i < 4; ++i) bits[at + kBytes + i] = static_cast<char>(check >> 8 * i);
  }
}

FilterAnswer ask_block(const FilterShape& shape, std::span<const char, kFilterBlock> block, std::uint32_t trigram) {
  const std::string_view bytes(block.data(), block.size());
  std::uint32_t check = 0;
  for (unsigned i = 0; i < 4; ++i)
    check |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[kBytes + i])) << 8 * i;
  if (check != check_of(shape, bytes, block_of(shape, trigram))) return FilterAnswer::broken;
  const std::uint64_t hash = mixed(trigram);
  for (unsigned time = 0; time < kTimes; ++time) {
    const std::uint32_t bit = bit_in(hash, time);
    if ((bytes[bit / 8] >> bit % 8 & 1) == 0) return FilterAnswer::no;
  }
  return FilterAnswer::maybe;
}

}  // namespace holdfast::inline v1
