// The bits of a session's filter (docs/formats/index.md): a Bloom filter of
// trigrams in blocks of 64 bytes, each with its own checksum, so a question reads
// one block and never trusts a byte that differs from what was written.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace holdfast::inline v1 {

inline constexpr std::size_t kFilterBlock = 64;
// A filter's blocks form this many rows of equal width; a trigram belongs to the same row in every filter.
inline constexpr std::uint32_t kFilterRows = 16;

// Room for `count` trigrams; `serial` is unique to the filter.
struct FilterShape {
  std::uint64_t serial = 0;
  std::uint32_t blocks = 0;  // a multiple of kFilterRows

  std::uint32_t width() const { return blocks / kFilterRows; }
};
FilterShape filter_shape(std::size_t count, std::uint64_t serial);

// Blocks without any bit set.
std::string empty_filter(const FilterShape& shape);
// Sets the bits of all trigrams and updates the checksums.
void add_to_filter(const FilterShape& shape, std::string& bits, std::span<const std::uint32_t> trigrams);

std::uint32_t block_of(const FilterShape& shape, std::uint32_t trigram);
enum class FilterAnswer { no, maybe, broken };
// `block` is the contents of block_of(trigram).
FilterAnswer ask_block(const FilterShape& shape, std::span<const char, kFilterBlock> block, std::uint32_t trigram);

}  // namespace holdfast::inline v1
