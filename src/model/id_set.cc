#include "model/id_set.h"

#include <functional>
#include <utility>

namespace holdfast::inline v1 {
namespace {

std::uint64_t hash_of(std::string_view id) { return std::hash<std::string_view>{}(id) | 1U; }

}  // namespace

// The slot of the hash, or the empty slot where it belongs; at least half are empty.
std::size_t IdSet::slot_of(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash >> 7U) & mask;
  while (slots_[slot].hash != 0 && slots_[slot].hash != hash) slot = (slot + 1) & mask;
  return slot;
}

IdSet::Place IdSet::add(std::string_view id) { return add_hash(hash_of(id)); }

IdSet::Place IdSet::add_hash(std::uint64_t hash) {
  if (2 * count_ >= slots_.size()) grow();
  if (hash == 0) hash = 1;
  Slot& slot = slots_[slot_of(hash)];
  if (slot.hash == hash) return {slot.number, false};
  slot = {hash, count_++};
  return {slot.number, true};
}

std::optional<std::size_t> IdSet::number_of(std::string_view id) const { return number_of_hash(hash_of(id)); }

std::optional<std::size_t> IdSet::number_of_hash(std::uint64_t hash) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(hash == 0 ? 1 : hash)];
  return slot.hash == 0 ? std::nullopt : std::optional(slot.number);
}

void IdSet::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
  for (const Slot& slot : old) {
    if (slot.hash != 0) slots_[slot_of(slot.hash)] = slot;
  }
}

}  // namespace holdfast::inline v1
