#include "disk/lock_wait.h"

#include <algorithm>
#include <condition_variable>

namespace holdfast::inline v1 {
namespace {

constexpr std::chrono::milliseconds kSlice{20};  // a waiter may notice a cancellation this late
constexpr std::chrono::microseconds kImpatient{300};

Failure gave_up(const Error& why, std::string_view path) {
  if (why.code == Code::cancelled) return fail(why);
  return fail(Code::busy, "somebody else holds the lock", std::string(path));
}

}  // namespace

struct FairMutex::Waiter {
  std::condition_variable turn;
  bool has_it = false;
};

Result<void> FairMutex::lock(const Context& context, std::string_view path) {
  std::unique_lock guard(mutex_);
  if (!held_) {
    held_ = true;
    return {};
  }
  Waiter self;
  line_.push_back(&self);
  while (!self.turn.wait_for(guard, kSlice, [&] { return self.has_it; })) {
    auto go_on = context.check();
    if (go_on) continue;
    std::erase(line_, &self);
    return gave_up(go_on.error(), path);
  }
  return {};
}

void FairMutex::unlock() {
  const std::scoped_lock guard(mutex_);
  held_ = !line_.empty();
  if (!held_) return;
  Waiter& next = *line_.front();
  line_.pop_front();
  next.has_it = true;
  next.turn.notify_one();  // under the mutex: the waiter may be destroyed as soon as the mutex is free
}

std::size_t FairMutex::waiting() const {
  const std::scoped_lock guard(mutex_);
  return line_.size();
}

// A lock is held for microseconds (a write) to milliseconds (a commit): retry
// quickly at first, then queue. Many polling waiters would take the processor
// from the holder.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line) {
  const Context bounded = context.within(kLockWait);
  auto pause = std::chrono::microseconds(5);
  while (true) {
    HOLDFAST_LET(locked, file.try_lock(kind));
    if (locked) return {};
    while (line && pause > kImpatient) {
      auto turn = file.lock_in_line(kind, kSlice);
      if (turn && *turn) return {};
      if (!turn && turn.error().code != Code::unsupported) return fail(std::move(turn).error());
      line = turn.has_value();
      if (auto go_on = bounded.check(); !go_on) {
        file.leave_line();
        return gave_up(go_on.error(), path);
      }
    }
    if (auto go_on = bounded.check(); !go_on) return gave_up(go_on.error(), path);
    bounded.clock->sleep(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

}  // namespace holdfast::inline v1
