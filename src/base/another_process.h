// For simulations in which another process acts on this thread: while this object
// lives, the locks and the deferred work (when_unlocked) of the thread are set aside.
#pragma once

#include "base/lock_rank.h"

namespace holdfast::inline v1 {

class AnotherProcess {
 public:
  AnotherProcess();
  ~AnotherProcess();
  AnotherProcess(const AnotherProcess&) = delete;
  AnotherProcess& operator=(const AnotherProcess&) = delete;

 private:
  struct Left;
  Left* left_;
};

}  // namespace holdfast::inline v1
