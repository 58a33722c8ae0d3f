// Does the same work for many items, with one thread per processor.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "base/run_in_order.h"
#include "base/start_thread.h"

namespace holdfast::inline v1 {

// Calls work(i) for every i below `count`, in ascending order, and returns when all
// calls are done. After the first exception of `work`, begins no further call and
// rethrows it. Starts no thread for fewer than `worth` items.
template <typename Work>
void in_parallel(std::size_t count, std::size_t worth, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto run = [&] {
    try {
      for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
    } catch (...) {
      next = count;
      const std::scoped_lock guard(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    if (count >= worth) {
      helpers.reserve(threads_for(count));
      for (std::size_t helper = 1; helper < threads_for(count); ++helper) {
        std::jthread started = start_thread(run);
        if (!started.joinable()) break;
        helpers.push_back(std::move(started));
      }
    }
    run();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace holdfast::inline v1
