// Standing in line for a lock of the kernel, which gives flock() to those who
// wait in the order in which they came. That wait cannot be ended from outside,
// so it is done by a thread that can be left behind: it gives the lock back when
// nobody wants it any more.
// Thread-safety: one thread at a time, and destroyed by it.
#pragma once

#include <holdfast/file_system.h>

#include <chrono>
#include <memory>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

class LockLine {
 public:
  LockLine() = default;
  ~LockLine() { leave(-1); }
  LockLine(const LockLine&) = delete;
  LockLine& operator=(const LockLine&) = delete;

  // Whether the lock of the open file `descriptor` is held now, after at most
  // `time`. unsupported when there is no thread to be had; else errno in the
  // error is that of flock().
  Result<bool> wait(int descriptor, LockKind kind, std::chrono::nanoseconds time);
  // A lock that came in the meantime is given back, unless the file is closed anyway (-1).
  void leave(int descriptor);

  // Somebody still waits for this open file, wanted or not: a lock that another
  // thread took meanwhile would be given back by it.
  bool occupied();

 private:
  struct Waiter;
  std::shared_ptr<Waiter> waiter_;
};

}  // namespace holdfast::inline v1
