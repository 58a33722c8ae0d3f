// The process that something belongs to. A fork copies memory but no threads, and the copies of open files share
// their locks: a child that closed what it inherited would release the leases of its parent, and write for it.
#pragma once

#include <holdfast/error.h>

#include <cstdint>
#include <string>

#include "disk/real_process.h"

namespace holdfast::inline v1 {

class OwnProcess {
 public:
  bool is_this() const { return pid_ == this_process_id(); }
  Result<void> check() const {
    if (is_this()) return {};
    return fail(Code::invalid_argument,
                "the client was opened by process " + std::to_string(pid_) + "; after a fork, open one in the child");
  }

 private:
  std::int64_t pid_ = this_process_id();
};

}  // namespace holdfast::inline v1
