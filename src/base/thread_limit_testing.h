// While this object lives, start_thread can start only `count` more threads.
#pragma once

#include "base/start_thread.h"

namespace holdfast::inline v1 {

class ScopedThreadLimit {
 public:
  explicit ScopedThreadLimit(long count) : before_(startable_threads.exchange(count)) {}
  ~ScopedThreadLimit() { startable_threads = before_; }
  ScopedThreadLimit(const ScopedThreadLimit&) = delete;
  ScopedThreadLimit& operator=(const ScopedThreadLimit&) = delete;

 private:
  long before_;
};

}  // namespace holdfast::inline v1
