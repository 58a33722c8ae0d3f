// Waiting for locks: never for ever, never in a busy loop, and in the order in
// which all who wait came.
// Thread-safety: any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <deque>
#include <mutex>
#include <string_view>

namespace holdfast::inline v1 {

// A mutex that threads get in the order in which they asked for it.
class FairMutex {
 public:
  // busy when the context's time ran out, cancelled when it was stopped.
  Result<void> lock(const Context& context, std::string_view path);
  void unlock();
  std::size_t waiting() const;

 private:
  struct Waiter;
  mutable std::mutex mutex_;  // guards the next two
  bool held_ = false;
  std::deque<Waiter*> line_;
};

inline constexpr std::chrono::seconds kLockWait{30};

// Waits for `file` to be locked, in line unless it is a lock that may be held for
// long (`line`). busy when the context's time or kLockWait ran out.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line = true);

}  // namespace holdfast::inline v1
