// Filters that are written together: their blocks are arranged in rows, so one
// read answers the same question for all of them (docs/formats/index.md).
// Thread-safety: one thread per object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/filter_bits.h"

namespace holdfast::inline v1 {

// Where the blocks of a filter are in the bits file.
struct FilterPlace {
  std::uint64_t offset = 0;  // offset of the batch, in bytes
  std::uint64_t place = 0;   // position of the filter in each row, in blocks
  std::uint64_t stride = 0;  // length of a row, in blocks

  std::uint64_t row_size() const { return stride * kFilterBlock; }
  std::uint64_t row_at(std::uint32_t row) const { return offset + row * row_size(); }
  // Offset from the start of its row, in bytes.
  std::uint64_t in_row(const FilterShape& shape, std::uint32_t block) const {
    return (place + block % shape.width()) * kFilterBlock;
  }
};

class FilterBatch {
 public:
  void add(const FilterShape& shape, std::string_view bits);
  std::size_t size() const { return bits_.size(); }
  bool empty() const { return bits_.empty(); }

  struct Rows {
    std::string bytes = {};
    std::vector<FilterPlace> places = {};  // of the added filters, relative to the start of `bytes`
  };
  // Empties the batch.
  Rows take();

 private:
  std::string bits_;  // one filter after the other
  std::vector<std::uint32_t> widths_;
};

}  // namespace holdfast::inline v1
