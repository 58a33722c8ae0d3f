// A mutex that knows its rank (lock_rank.h), and its scoped lock. The analysis of
// clang follows both.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/lock_rank.h"
#include "base/thread_annotations.h"

namespace holdfast::inline v1 {

class HOLDFAST_CAPABILITY("mutex") Mutex {
 public:
  explicit Mutex(LockRank rank = LockRank::leaf) : rank_(rank) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // For the locks below.
  void lock() HOLDFAST_ACQUIRE() {
    const std::uint64_t held = hold_rank(rank_);
    mutex_.lock();
    held_ = held;
  }
  void unlock() HOLDFAST_RELEASE() {
    drop_rank(held_);
    mutex_.unlock();
  }

 private:
  friend class Condition;
  std::mutex mutex_;
  const LockRank rank_;
  std::uint64_t held_ = 0;  // of the thread that has it
};

class HOLDFAST_SCOPED_CAPABILITY ScopedLock {
 public:
  explicit ScopedLock(Mutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ScopedLock() HOLDFAST_RELEASE() {
    mutex_.unlock();
    run_unlocked();
  }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  Mutex& mutex_;
};

// The same for those who let go of it in between, or wait with std::condition_variable_any.
class HOLDFAST_SCOPED_CAPABILITY UniqueLock {
 public:
  explicit UniqueLock(Mutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~UniqueLock() HOLDFAST_RELEASE() {
    if (owned_) mutex_.unlock();
    run_unlocked();
  }
  UniqueLock(const UniqueLock&) = delete;
  UniqueLock& operator=(const UniqueLock&) = delete;
  void lock() HOLDFAST_ACQUIRE() {
    mutex_.lock();
    owned_ = true;
  }
  void unlock() HOLDFAST_RELEASE() {
    owned_ = false;
    mutex_.unlock();
  }

 private:
  Mutex& mutex_;
  bool owned_ = true;
};

// Waits with a Mutex that its caller holds. While it waits the mutex stays in the
// list of what the thread holds, which does not move meanwhile.
class Condition {
 public:
  void wait(Mutex& mutex) HOLDFAST_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const std::uint64_t held = mutex.held_;
    condition_.wait(lock);
    mutex.held_ = held;
    lock.release();
  }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace holdfast::inline v1
