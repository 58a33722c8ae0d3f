// Starts threads on a system that may have none left (pids limit, RLIMIT_NPROC, memory). Callers must
// not depend on getting one: without it they do the work themselves, or leave it out.
#pragma once

#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace holdfast::inline v1 {

// How many more threads start_thread may start; set by tests.
inline std::atomic<long> startable_threads = 1L << 40;

// The result is not joinable if no thread could be started. `work` must not throw.
template <typename Work>
std::jthread start_thread(Work&& work) noexcept {
  if (startable_threads.fetch_sub(1) <= 0) {
    startable_threads.fetch_add(1);
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
