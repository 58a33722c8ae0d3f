// Progress of work that takes more than a second, on a terminal: what is done, how far it
// is, and for how long; one line on standard error that is removed before anything else is
// printed. Thread-safety: one owner; tell() from any thread.
#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"

namespace holdfast::inline v1 {

class ProgressLine {
 public:
  // `what`: "searching". Shows nothing if standard error is not a terminal.
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { stop(); }

  // Shows this text instead of `what` from now on.
  void tell(std::string_view text);
  // Removes the line for good.
  void stop();

 private:
  void run(int over);

  Mutex mutex_;
  std::string text_ HOLDFAST_GUARDED_BY(mutex_);
  int over_ = -1;
  std::jthread thread_;
};

}  // namespace holdfast::inline v1
