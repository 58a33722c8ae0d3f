// A set of ids by their hash: for counting and for finding duplicates among
// very many. Two different ids with one 64-bit hash count as one, so use it
// only for counts and notices. Thread-safety: one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

class IdSet {
 public:
  struct Place {
    std::size_t number;  // how many different ids were added before this one
    bool added;          // false if it was already there
  };
  Place add(std::string_view id);
  Place add_hash(std::uint64_t hash);
  bool contains(std::string_view id) const { return number_of(id).has_value(); }
  std::optional<std::size_t> number_of(std::string_view id) const;
  std::optional<std::size_t> number_of_hash(std::uint64_t hash) const;
  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;  // 0 if empty
    std::size_t number = 0;
  };
  std::size_t slot_of(std::uint64_t hash) const;
  void grow();

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace holdfast::inline v1
