// Parameters and columns in PostgreSQL's binary form: big-endian integers, raw bytes, and arrays of one dimension.
// Thread-safety: plain values.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class PqParameters {
 public:
  PqParameters& bytes(std::string_view value) { return add(17, std::string(value)); }
  PqParameters& text(std::string_view value) { return add(25, std::string(value)); }
  PqParameters& number(std::uint64_t value) { return add(20, big_endian(value, 8)); }
  PqParameters& numbers(std::span<const std::uint64_t> values) {
    std::string array = array_head(20, values.size());
    for (const std::uint64_t value : values) array += big_endian(8, 4) + big_endian(value, 8);
    return add(1016, std::move(array));
  }
  PqParameters& many_bytes(std::span<const std::string_view> values) { return add(1001, array_of(17, values)); }
  PqParameters& texts(std::span<const std::string_view> values) { return add(1009, array_of(25, values)); }

  std::size_t size() const { return values_.size(); }
  const std::vector<unsigned>& types() const { return types_; }
  const std::vector<std::string>& values() const { return values_; }

 private:
  PqParameters& add(unsigned type, std::string value) {
    types_.push_back(type);
    values_.push_back(std::move(value));
    return *this;
  }
  static std::string array_of(unsigned type, std::span<const std::string_view> values) {
    std::string array = array_head(type, values.size());
    std::size_t size = array.size();
    for (const std::string_view value : values) size += 4 + value.size();
    array.reserve(size);
    for (const std::string_view value : values) array.append(big_endian(value.size(), 4)).append(value);
    return array;
  }
  static std::string big_endian(std::uint64_t value, std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = size; i-- > 0; value >>= 8U) text[i] = static_cast<char>(value & 0xffU);
    return text;
  }
  static std::string array_head(unsigned type, std::size_t count) {
    if (count == 0) return big_endian(0, 4) + big_endian(0, 4) + big_endian(type, 4);
    return big_endian(1, 4) + big_endian(0, 4) + big_endian(type, 4) + big_endian(count, 4) + big_endian(1, 4);
  }

  std::vector<unsigned> types_;
  std::vector<std::string> values_;
};

using PqRow = std::vector<std::optional<std::string>>;

// Values from the server are range-checked.
inline std::optional<std::uint64_t> pq_number(const PqRow& row, std::size_t column) {
  if (column >= row.size() || !row[column] || row[column]->size() > 8 || row[column]->empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : *row[column]) value = (value << 8U) | static_cast<unsigned char>(c);
  if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return value;
}
inline std::optional<std::string> pq_bytes(const PqRow& row, std::size_t column, std::size_t limit) {
  if (column >= row.size() || !row[column] || row[column]->size() > limit) return std::nullopt;
  return row[column];
}

}  // namespace holdfast::inline v1
