// Queues for a kernel lock: flock() serves blocked waiters in order of arrival.
// A blocked flock() cannot be interrupted from outside, so a thread does the
// waiting. That thread can be abandoned: it releases the lock if nobody wants it
// any more.
// Thread-safety: one thread at a time, also for destruction.
#pragma once

#include <holdfast/file_system.h>

#include <chrono>
#include <memory>

#include "disk/real_path.h"

namespace holdfast::inline v1 {

class LockQueue {
 public:
  LockQueue() = default;
  ~LockQueue() { leave(-1); }
  LockQueue(const LockQueue&) = delete;
  LockQueue& operator=(const LockQueue&) = delete;

  // Waits for at most `time`; returns true if the lock of the open file
  // `descriptor` is now held. Fails with unsupported if no thread can be
  // started; other errors carry the errno of flock().
  Result<bool> wait(int descriptor, LockKind kind, std::chrono::nanoseconds time);
  // Stops waiting. Releases a lock that was granted in the meantime, unless the file is being closed anyway (-1).
  void leave(int descriptor);

  // True while a thread still waits for this open file, wanted or not. If
  // another thread took the lock now, the waiting one could release it.
  bool occupied();

 private:
  struct Waiter;
  std::shared_ptr<Waiter> waiter_;
};

}  // namespace holdfast::inline v1
