// What is known by hashes of 64 bits: things in one piece of memory, in the order
// in which they came, and where to find them. For thousands that are made at once.
// Lifetime: things move when one is added or erased.
// Thread-safety: constant functions from any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

template <typename Value>
class HashedMap {
 public:
  using Item = std::pair<std::uint64_t, Value>;

  void reserve(std::size_t count) {
    items_.reserve(count);
    if (2 * count > slots_.size()) arrange(2 * count);
  }
  const Value* find(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const std::uint32_t item = slots_[slot_of(key)];
    return item == kNone ? nullptr : &items_[item].second;
  }
  void insert_or_assign(std::uint64_t key, Value value) {
    if (2 * (items_.size() + 1) > slots_.size()) arrange(4 * (items_.size() + 1));
    std::uint32_t& item = slots_[slot_of(key)];
    if (item != kNone) {
      items_[item].second = std::move(value);
      return;
    }
    item = static_cast<std::uint32_t>(items_.size());
    items_.emplace_back(key, std::move(value));
  }
  template <typename Gone>
  void erase_if(const Gone& gone) {
    if (std::erase_if(items_, gone) > 0) arrange(slots_.size());
  }
  void clear() {
    items_.clear();
    slots_.clear();
  }

  std::size_t size() const { return items_.size(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The one that has it, or the free one where it belongs. At least half of them are free.
  std::size_t slot_of(std::uint64_t key) const {
    std::size_t slot = key & (slots_.size() - 1);
    while (slots_[slot] != kNone && items_[slots_[slot]].first != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void arrange(std::size_t slots) {
    slots_.assign(std::bit_ceil(std::max<std::size_t>(slots, 16)), kNone);
    for (std::size_t item = 0; item < items_.size(); ++item)
      slots_[slot_of(items_[item].first)] = static_cast<std::uint32_t>(item);
  }

  std::vector<Item> items_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace holdfast::inline v1
