// Threads, from a system that may have none left (pids limit, RLIMIT_NPROC, memory): nobody depends
// on getting one. Whoever asks does the work itself, or does without, when there is none.
#pragma once

#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace holdfast::inline v1 {

// How many more threads start_thread may start; a test sets it to see what happens without.
inline std::atomic<long> threads_left = 1L << 40;

// Not joinable: there is none to be had. `work` must not throw.
template <typename Work>
std::jthread start_thread(Work&& work) noexcept {
  if (threads_left.fetch_sub(1) <= 0) {
    threads_left.fetch_add(1);
    return {};
  }
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return {};
}

}  // namespace holdfast::inline v1
