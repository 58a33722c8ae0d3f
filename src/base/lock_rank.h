// The order in which locks are taken (I-19), and a look, whenever one is taken,
// whether its thread keeps to it: two threads or processes that take the same
// locks in one order never wait for each other. A lock is noted before it is
// waited for, so that a wrong order is a complaint and not a hang.
// Thread-safety: every thread has its own list; any thread may call anything here.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace holdfast::inline v1 {

// From the outside in: a lock is taken only while all that the thread holds are
// of lower rank. Several roots are taken in the order of their device and inode.
enum class LockRank : std::uint8_t {
  opening,      // a store or a session that is being opened by this process
  session,      // a session's writer: appends are inside, closing waits for them
  sessions,     // kernel lock: sessions that go or come back, or get their first files
  index_write,  // the thread that writes a layout's own index files
  records,      // kernel lock: edits of a store's records
  index,        // what is remembered of a store's sessions
  lease,        // kernel lock; tried, not waited for, and not held against anybody once it is taken
  log_writes,   // the threads that write one log
  root,         // kernel lock: documents and commits of a root
  log,          // kernel lock: one log
  line_writer,  // spelling the messages of a session
  leaf,         // guards a few members; nothing else is taken or waited for under it
};

// Orders locks of the rank `root` among themselves; zeros: not known.
struct LockOrder {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const LockOrder&) const = default;
};

// Notes a lock that is about to be taken. The answer is for drop_rank, on the same thread.
std::uint64_t hold_rank(LockRank rank, LockOrder order = {}) noexcept;
void drop_rank(std::uint64_t held) noexcept;  // 0 is nobody's

// That much of a lock's life: from before it is waited for until it is released.
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

// Before waiting for somebody outside: a listener, a pipe, a child process, another
// store. Complains when this thread holds a lock; `what` names what is waited for.
void about_to_wait(const char* what) noexcept;

// Runs `work` when this thread holds no lock: now, or when the last one is released.
// What runs later must not throw; what it throws is dropped.
void when_unlocked(std::function<void()> work);
// Runs what is due, if no lock is held. For those who release locks.
void run_unlocked() noexcept;

// Told of every violation. By default nobody is: a program that people use goes on.
// Tests and the laboratory end the process.
using LockComplaint = void (*)(const char* text) noexcept;
// The answer is who was told before.
LockComplaint complain_of_locks(LockComplaint told) noexcept;

}  // namespace holdfast::inline v1
