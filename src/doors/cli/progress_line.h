// What takes more than a second says so on a terminal: what is done, how much of it, for how
// long; one line on standard error that is gone before anything else is printed.
// Thread-safety: one owner; tell() from any thread.
#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"

namespace holdfast::inline v1 {

class ProgressLine {
 public:
  // `what`: "searching". Nothing is shown where standard error is no terminal.
  explicit ProgressLine(std::string what);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { stop(); }

  // How far it is; shown from now on instead of `what`.
  void tell(std::string_view text);
  // The line is gone, and does not come back.
  void stop();

 private:
  void run(int over);

  Mutex mutex_;
  std::string text_ HOLDFAST_GUARDED_BY(mutex_);
  int over_ = -1;
  std::jthread thread_;
};

}  // namespace holdfast::inline v1
