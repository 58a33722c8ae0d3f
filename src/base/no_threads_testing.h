// While this object lives, start_thread can start only `count` more threads.
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
