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
  // Fails with busy when the context's deadline passes, with cancelled when it is stopped.
  Result<void> lock(const Context& context, std::string_view path);
  void unlock();
  std::size_t waiting() const;

 private:
  struct Waiter;
  mutable std::mutex mutex_;  // guards held_ and line_
  bool held_ = false;
  std::deque<Waiter*> line_;
};

inline constexpr std::chrono::seconds kLockWait{30};

// Waits until `file` is locked. Queues for the lock if `line`; pass false for locks that may
// be held for long. Fails with busy when the context's deadline or kLockWait has passed.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line = true);

}  // namespace holdfast::inline v1
