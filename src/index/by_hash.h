// Values by hashes of their names: thousands are created, found and dropped
// without one allocation each. Values move when the table grows, so pointers
// are valid until the next one is added. Thread-safety: that of a vector.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

template <typename Value>
class ByHash {
 public:
  using Item = std::pair<std::uint64_t, Value>;

  void reserve(std::size_t count) {
    items_.reserve(count);
    if (2 * count > slots_.size()) place_all(count);
  }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void clear() {
    items_.clear();
    slots_.clear();
  }

  Value* find(std::uint64_t hash) { return const_cast<Value*>(std::as_const(*this).find(hash)); }
  const Value* find(std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      if (slots_[at] == 0) return nullptr;
      if (items_[slots_[at] - 1].first == hash) return &items_[slots_[at] - 1].second;
    }
  }
  // Creates a new value if there is none.
  Value& operator[](std::uint64_t hash) {
    if (Value* const known = find(hash)) return *known;
    if (2 * (items_.size() + 1) > slots_.size()) place_all(2 * items_.size() + 8);
    items_.emplace_back(hash, Value());
    place(items_.size());
    return items_.back().second;
  }
  template <typename Gone>
  void erase_if(const Gone& gone) {
    std::erase_if(items_, gone);
    place_all(items_.size());
  }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  void place(std::size_t number) {
    std::size_t at = items_[number - 1].first & mask();
    while (slots_[at] != 0) at = (at + 1) & mask();
    slots_[at] = static_cast<std::uint32_t>(number);
  }
  void place_all(std::size_t count) {
    slots_.assign(std::bit_ceil(2 * std::max(count, items_.size()) + 1), 0);
    for (std::size_t number = 1; number <= items_.size(); ++number) place(number);
  }

  std::vector<Item> items_;
  std::vector<std::uint32_t> slots_;  // number of the item, from 1; 0 if free
};

}  // namespace holdfast::inline v1
