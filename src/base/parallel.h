// The same work for many things, on as many threads as the machine has.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "base/in_order.h"

namespace holdfast::inline v1 {

// Calls work(i) for every i below `count`, beginning with the small ones; returns
// when all are done. `work` must not throw. With less than `worth` things a
// thread is not worth starting.
template <typename Work>
void in_parallel(std::size_t count, std::size_t worth, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
  };
  std::vector<std::jthread> helpers;
  if (count >= worth) {
    for (std::size_t helper = 1; helper < threads_for(count); ++helper) helpers.emplace_back(run);
  }
  run();
}

}  // namespace holdfast::inline v1
