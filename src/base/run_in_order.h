// Several threads do the work, one takes the answers in order: the answer for n is
// taken before the one for n + 1, even if n + 1 was finished first.
// Thread-safety: several threads call `work` at once; only the calling thread calls
// `take`. run_in_order rethrows what `work` throws. If the system has no thread left,
// the calling thread does everything.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/start_thread.h"

namespace holdfast::inline v1 {

// Returns the number of processors, at most 16 and at most `count`.
inline std::size_t threads_for(std::size_t count) {
  static const unsigned processors = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);  // it reads a file
  return std::min<std::size_t>(count, processors);
}

// Calls take(work(n)) for every n below `count` until `take` returns false. With one
// thread, the calling thread does everything. At most `kAhead` answers per thread
// wait to be taken, which bounds memory.
template <typename Work, typename Take>
void run_in_order(std::size_t count, std::size_t threads, const Work& work, const Take& take) {
  using Answer = decltype(work(std::size_t{}));
  constexpr std::size_t kAhead = 16;
  const auto alone = [&] {
    for (std::size_t n = 0; n < count; ++n) {
      if (!take(work(n))) return;
    }
  };
  if (threads <= 1) return alone();
  std::mutex mutex;
  std::condition_variable moved;
  std::map<std::size_t, Answer> answers;
  std::exception_ptr thrown;
  std::size_t next = 0, taken = 0;
  bool over = false;
  const auto serve = [&] {
    std::unique_lock lock(mutex);
    while (true) {
      moved.wait(lock, [&] { return over || next == count || next < taken + kAhead * threads; });
      if (over || next == count) return;
      const std::size_t mine = next++;
      lock.unlock();
      try {
        Answer answer = work(mine);
        lock.lock();
        answers.emplace(mine, std::move(answer));
      } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        if (!thrown) thrown = std::current_exception();
        over = true;
      }
      moved.notify_all();
    }
  };
  std::vector<std::jthread> servers;
  const auto stop = [&] {
    {
      const std::scoped_lock guard(mutex);
      over = true;
    }
    moved.notify_all();
    servers.clear();
  };
  try {
    servers.reserve(threads);
    for (std::size_t n = 0; n < threads; ++n) {
      std::jthread started = start_thread(serve);
      if (!started.joinable()) break;
      servers.push_back(std::move(started));
    }
    if (servers.empty()) return alone();
    for (bool wanted = true; wanted && taken < count;) {
      std::unique_lock lock(mutex);
      moved.wait(lock, [&] { return over || answers.contains(taken); });
      if (over) break;
      Answer answer = std::move(answers.extract(taken).mapped());
      lock.unlock();
      wanted = take(std::move(answer));
      lock.lock();
      ++taken;
      moved.notify_all();
    }
  } catch (...) {
    stop();
    throw;
  }
  stop();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace holdfast::inline v1
