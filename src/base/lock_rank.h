// The order in which locks are taken (I-19), and a check of that order whenever a
// thread takes one: threads and processes that take locks in the same order cannot
// deadlock. A lock is recorded before the thread waits for it, so a wrong order is
// reported instead of hanging.
// Thread-safety: every thread has its own list; any thread may call anything here.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace holdfast::inline v1 {

// From the outside in: a thread may take a lock only if all locks it holds are of
// lower rank. Several roots are taken in the order of their device and inode.
enum class LockRank : std::uint8_t {
  opening,      // a store or a session that is being opened by this process
  session,      // a session's writer: appends are inside, closing waits for them
  sessions,     // kernel lock: removing or restoring sessions, or creating their first files
  index_write,  // the thread that writes a layout's own index files
  records,      // kernel lock: edits of a store's records
  index,        // the index of a store's sessions
  lease,        // kernel lock; tried, not waited for; no longer counted once it is taken
  log_writes,   // the threads that write one log
  root,         // kernel lock: documents and commits of a root
  log,          // kernel lock: one log
  line_writer,  // formatting the messages of a session
  leaf,         // guards a few members; nothing else is taken or waited for under it
};

// Orders locks of the rank `root` among themselves; zeros if unknown.
struct LockOrder {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const LockOrder&) const = default;
};

// Records a lock that this thread is about to take. Pass the result to drop_rank, on the same thread.
std::uint64_t hold_rank(LockRank rank, LockOrder order = {}) noexcept;
void drop_rank(std::uint64_t held) noexcept;  // 0 does nothing

// Records a lock from before the thread waits for it until the lock is released.
class RankHold {
 public:
  RankHold() = default;
  explicit RankHold(LockRank rank, LockOrder order = {}) noexcept : held_(hold_rank(rank, order)) {}
  ~RankHold() { drop(); }
  RankHold(RankHold&& other) noexcept : held_(std::exchange(other.held_, 0)) {}
  RankHold& operator=(RankHold&& other) noexcept {
    if (this != &other) {
      drop();
      held_ = std::exchange(other.held_, 0);
    }
    return *this;
  }
  void drop() noexcept { drop_rank(std::exchange(held_, 0)); }

 private:
  std::uint64_t held_ = 0;
};

// Must be called before waiting for `what`, something outside: a listener, a pipe, a
// child process, another store. Complains if this thread holds a lock.
void check_no_locks_held(const char* what) noexcept;

// Runs `work` as soon as this thread holds no lock: now, or when it releases the last one.
// `work` should not throw; exceptions are ignored.
void when_unlocked(std::function<void()> work);
// Runs the work of when_unlocked if no lock is held. Called after a lock is released.
void run_deferred_work() noexcept;

// Called on every violation. By default there is no handler, and a program that people
// use continues. The handlers of tests and of the laboratory end the process.
using LockComplaint = void (*)(const char* text) noexcept;
// Sets the handler and returns the previous one.
LockComplaint set_lock_complaint(LockComplaint told) noexcept;

}  // namespace holdfast::inline v1
