// Sorts and keeps the order of equal items. std::stable_sort of libstdc++ 12 uses a
// deprecated function, which is an error with clang.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace holdfast::inline v1 {

template <typename T, typename Less>
void sort_stably(std::vector<T>& items, const Less& less) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (less(items[a], items[b])) return true;
    return !less(items[b], items[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const std::size_t at : order) sorted.push_back(std::move(items[at]));
  items = std::move(sorted);
}

}  // namespace holdfast::inline v1
