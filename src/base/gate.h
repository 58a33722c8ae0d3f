// Calls enter a gate while it is open; close() waits until all of them have left. No
// mutex is held while a call is inside, but the gate counts as a lock of its thread:
// a thread must not close it while it holds a lock that a call inside may want.
// Thread-safety: any thread.
#pragma once

#include <cstddef>

#include "base/mutex.h"

namespace holdfast::inline v1 {

class Gate {
 public:
  // A call is inside while its Pass lives. Converts to false if the gate was closed.
  class Pass {
   public:
    explicit Pass(Gate& gate) : rank_(gate.rank_), gate_(gate.enter() ? &gate : nullptr) {}
    ~Pass() {
      if (gate_ != nullptr) gate_->leave();
      rank_.drop();
      run_deferred_work();
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    explicit operator bool() const { return gate_ != nullptr; }

   private:
    RankHold rank_;
    Gate* gate_;
  };

  explicit Gate(LockRank rank) : rank_(rank) {}

  // Lets no further call in, and waits for those inside. Returns true to the first
  // caller, which must then call closed(); other callers wait until it does.
  bool close() {
    const RankHold rank(rank_);
    const ScopedLock guard(mutex_);
    if (closing_) {
      while (!closed_) changed_.wait(mutex_);
      return false;
    }
    closing_ = true;
    while (inside_ > 0) changed_.wait(mutex_);
    return true;
  }
  void closed() {
    const ScopedLock guard(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  bool enter() {
    const ScopedLock guard(mutex_);
    if (closing_) return false;
    ++inside_;
    return true;
  }
  void leave() {
    const ScopedLock guard(mutex_);
    --inside_;
    changed_.notify_all();
  }

  const LockRank rank_;
  Mutex mutex_;
  Condition changed_;
  std::size_t inside_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  bool closing_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool closed_ HOLDFAST_GUARDED_BY(mutex_) = false;
};

}  // namespace holdfast::inline v1
