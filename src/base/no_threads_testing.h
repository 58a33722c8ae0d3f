// A system that has so many threads left, and no more, until this ends.
#pragma once

#include "base/start_thread.h"

namespace holdfast::inline v1 {

class ThreadsLeft {
 public:
  explicit ThreadsLeft(long count) : before_(threads_left.exchange(count)) {}
  ~ThreadsLeft() { threads_left = before_; }
  ThreadsLeft(const ThreadsLeft&) = delete;
  ThreadsLeft& operator=(const ThreadsLeft&) = delete;

 private:
  long before_;
};

}  // namespace holdfast::inline v1
