// Waiting for locks: with a time limit, without a busy loop, and first come,
// first served.
// Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <deque>
#include <mutex>
#include <string_view>

namespace holdfast::inline v1 {

// A mutex that threads acquire in the order in which they asked for it.
class FairMutex {
 public:
  // Waits for kLockWait, and then as long as it changes hands (Patience in lock_wait.cc). Fails with busy when that is
  // over or the context's deadline passes, with cancelled when the context is stopped.
  Result<void> lock(const Context& context, std::string_view path);
  // Pass false for `used` if the holder could not do what it wanted the mutex for: those who wait shall not take that
  // for progress.
  void unlock(bool used = true);
  std::size_t waiting() const;

 private:
  struct Waiter;
  mutable std::mutex mutex_;  // guards everything below
  bool held_ = false;
  std::int64_t turns_ = 0;  // how often it was handed over by a holder that had used it
  std::deque<Waiter*> line_;
};

inline constexpr std::chrono::seconds kLockWait{30};

// Waits until `file` is locked. Queues for the lock if `line`; pass false for locks that may
// be held for long. Fails with busy when the context's deadline or kLockWait has passed.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line = true);

// The same for a file that serves only as a lock. A long queue is not a reason to give up: after kLockWait it goes on
// waiting as long as others that waited get the lock exclusively, and fails with busy once nobody did for kLockWait /
// 2, or when the context's deadline has passed. Shared holders are not counted: an exclusive lock that is asked for
// while they come and go is refused after kLockWait.
Result<void> wait_for_turn(const Context& context, File& file, LockKind kind, std::string_view path);

}  // namespace holdfast::inline v1
