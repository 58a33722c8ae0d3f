// Whole lines to a file descriptor, through a thread of its own: who does not read
// them holds up nobody but those who wait for answers, and what waits is bounded.
// Thread-safety: any thread. Lifetime: the destructor gives up what nobody reads.
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
  // Does not own `output`. `on_lost` is called once, when the other side is gone;
  // what is written after that goes nowhere.
  LineOutput(int output, std::function<void()> on_lost);
  ~LineOutput();
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  // Waits while too much waits to be read.
  void write(std::string_view line);
  // Never waits. False: too much waits to be read, and the line was dropped.
  bool offer(std::string_view line);
  // Until everything is written, or the other side is gone. The error is why it could not be
  // written; a reader that went away is none.
  Result<void> finish();
  // From now on the other side counts as gone when it reads nothing for some seconds.
  void hurry() noexcept;

 private:
  bool is_full() const HOLDFAST_REQUIRES(mutex_);
  void add(std::string_view line) HOLDFAST_REQUIRES(mutex_);
  void run();
  bool put(std::string_view bytes);  // false: the other side is gone

  const int output_;
  const int wake_;
  const std::function<void()> on_lost_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::string queue_ HOLDFAST_GUARDED_BY(mutex_);        // whole lines
  std::size_t writing_ HOLDFAST_GUARDED_BY(mutex_) = 0;  // bytes that the thread is at
  bool lost_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::atomic<int> why_ = 0;  // errno of the write that failed
  bool ending_ HOLDFAST_GUARDED_BY(mutex_) = false;
  std::atomic<bool> hurried_ = false;
  std::jthread thread_;  // none when the system has none left: then write() writes
};

}  // namespace holdfast::inline v1
