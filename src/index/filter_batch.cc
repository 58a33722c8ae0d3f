#include "index/filter_batch.h"

#include <utility>

namespace holdfast::inline v1 {

void FilterBatch::add(const FilterShape& shape, std::string_view bits) {
  bits_ += bits;
  widths_.push_back(shape.width());
}

FilterBatch::Rows FilterBatch::take() {
  const std::string bits = std::exchange(bits_, {});
  const std::vector<std::uint32_t> widths = std::exchange(widths_, {});
  Rows rows;
  std::uint64_t stride = 0;
  for (const std::uint32_t width : widths) {
    rows.places.push_back({.place = stride});
    stride += width;
  }
  for (FilterPlace& place : rows.places) place.stride = stride;
  rows.bytes.reserve(bits.size());
  for (std::uint32_t row = 0; row < kFilterRows; ++row) {
    std::size_t filter = 0;  // where the filter begins
    for (const std::uint32_t width : widths) {
      const std::size_t part = width * kFilterBlock;
      rows.bytes.append(bits, filter + row * part, part);
      filter += kFilterRows * part;
    }
  }
  return rows;
}

}  // namespace holdfast::inline v1
