// For simulations that let another process act on the thread of this one: what the
// thread holds and has to tell is as if it were not there, until the end.
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
