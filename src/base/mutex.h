// A mutex with a rank (lock_rank.h) and its scoped locks, annotated for clang's
// thread-safety analysis.
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

  // Called only by the scoped locks below.
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
  std::uint64_t held_ = 0;  // result of hold_rank on the thread that holds the mutex
};

class HOLDFAST_SCOPED_CAPABILITY ScopedLock {
 public:
  explicit ScopedLock(Mutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ScopedLock() HOLDFAST_RELEASE() {
    mutex_.unlock();
    run_deferred_work();
  }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  Mutex& mutex_;
};

// The same for callers that unlock it in between, or wait with std::condition_variable_any.
class HOLDFAST_SCOPED_CAPABILITY UniqueLock {
 public:
  explicit UniqueLock(Mutex& mutex) HOLDFAST_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~UniqueLock() HOLDFAST_RELEASE() {
    if (owned_) mutex_.unlock();
    run_deferred_work();
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

// Waits with a Mutex that the caller holds. During the wait, the mutex stays in the
// list of locks of the thread, which does not run then.
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
