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

// Half of what a holder waits in vain for the next lock, such as that of the root behind that of the records. If a
// process that is stuck keeps that one, the turns of the queue before it are kLockWait apart, and each ends in failure:
// they must not keep the whole queue waiting.
constexpr auto kNextTurn = kLockWait / 2;

// How long to wait: until the caller's deadline; or for kLockWait, and then until no turn was seen for kNextTurn.
// `turn` is a number that is different whenever somebody else had waited for the lock and got it.
class Patience {
 public:
  Patience(const Context& context, std::int64_t turn)
      : context_(context), bounded_(context.within(kLockWait)), turn_(turn) {}

  template <typename Turn>
  Result<void> check(const Turn& turn) {
    auto go_on = bounded_.check();
    if (go_on || !context_.check()) return go_on;
    const std::int64_t now = turn();
    if (now == turn_) return go_on;
    turn_ = now;
    bounded_ = context_.within(kNextTurn);
    return {};
  }

 private:
  const Context& context_;
  Context bounded_;
  std::int64_t turn_;
};

// Whoever had to wait for a lock file changes its ctime: those who still wait see that their turn comes.
std::int64_t turn_of(File& file) {
  const auto stat = file.stat();
  return stat ? stat->ctime_ns : 0;
}

void mark_turn(File& file) {
  if (const auto stat = file.stat()) (void)file.set_mode(stat->mode);
}

// A lock is held for microseconds (a write) to milliseconds (a commit): retry
// quickly at first, then queue. Many polling waiters would take the processor
// from the holder.
template <typename Turn>
Result<void> wait_while(const Context& context, File& file, LockKind kind, std::string_view path, bool line,
                        const Turn& turn) {
  Patience patience(context, turn());
  for (auto pause = std::chrono::microseconds(5);; pause = std::min(pause * 2, std::chrono::microseconds(1000))) {
    while (line && pause > kImpatient) {
      auto granted = file.lock_in_line(kind, kSlice);
      if (granted && *granted) return {};
      if (!granted && granted.error().code != Code::unsupported) return fail(std::move(granted).error());
      line = granted.has_value();
      if (auto go_on = patience.check(turn); !go_on) {
        file.leave_line();
        return gave_up(go_on.error(), path);
      }
    }
    if (auto go_on = patience.check(turn); !go_on) return gave_up(go_on.error(), path);
    context.clock->sleep(pause);
    HOLDFAST_LET(locked, file.try_lock(kind));
    if (locked) return {};
  }
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
  Patience patience(context, turns_);
  while (!self.turn.wait_for(guard, kSlice, [&] { return self.has_it; })) {
    auto go_on = patience.check([&] { return turns_; });
    if (go_on) continue;
    std::erase(line_, &self);
    return gave_up(go_on.error(), path);
  }
  return {};
}

void FairMutex::unlock(bool used) {
  const std::scoped_lock guard(mutex_);
  held_ = !line_.empty();
  if (!held_) return;
  Waiter& next = *line_.front();
  line_.pop_front();
  if (used) ++turns_;
  next.has_it = true;
  next.turn.notify_one();  // under the mutex: the waiter may be destroyed as soon as the mutex is free
}

std::size_t FairMutex::waiting() const {
  const std::scoped_lock guard(mutex_);
  return line_.size();
}

Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line) {
  HOLDFAST_LET(locked, file.try_lock(kind));
  if (locked) return {};
  return wait_while(context, file, kind, path, line, [] { return 0; });
}

Result<void> wait_for_turn(const Context& context, File& file, LockKind kind, std::string_view path) {
  HOLDFAST_LET(locked, file.try_lock(kind));
  if (locked) return {};
  HOLDFAST_TRY(wait_while(context, file, kind, path, true, [&] { return turn_of(file); }));
  if (kind == LockKind::exclusive) mark_turn(file);
  return {};
}

}  // namespace holdfast::inline v1
