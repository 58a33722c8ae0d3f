// Writes whole lines to a file descriptor, through its own thread: a slow reader
// only delays those who wait for answers, and the queue is bounded.
// Thread-safety: any thread. Lifetime: the destructor drops what nobody reads.
#pragma once

#include <holdfast/error.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"

namespace holdfast::inline v1 {

class LineOutput {
 public:
  // Does not own `output`. Calls `on_lost` once, when the other side is gone; later lines are discarded.
  LineOutput(int output, std::function<void()> on_lost);
  ~LineOutput();
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  // Waits while the queue is full.
  void write(std::string_view line);
  // Never waits. Returns false if the queue is full; then the line is dropped.
  bool offer(std::string_view line);
  // Waits until everything is written, or the other side is gone. Returns why it could not
  // be written; a reader that is gone is not an error.
  Result<void> finish();
  // From now on the other side counts as gone if it reads nothing for some seconds.
  void hurry() noexcept;

 private:
  bool is_full() const HOLDFAST_REQUIRES(mutex_);
  void add(std::string_view line) HOLDFAST_REQUIRES(mutex_);
  void run();
  bool put(std::string_view bytes);  // returns false if the other side is gone

  const int output_;
  const int wake_;
  const std::function<void()> on_lost_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::string queue_ HOLDFAST_GUARDED_BY(mutex_);        // whole lines
  std::size_t writing_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // bytes being written by the thread
  bool lost_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::atomic<int> why_ = 0;  // errno of the write that failed
  bool ending_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::atomic<bool> hurried_ = false;
  std::jthread thread_;  // none if the system has none left: then write() writes
};

}  // namespace holdfast::inline v1
