// In every test program and the laboratory: a lock that is taken out of order ends
// the process, and so it does in the programs that they start.
#include <cstdlib>

#include "base/lock_rank.h"

namespace {

const bool told = [] {
  holdfast::complain_of_locks(holdfast::abort_on_lock_complaint);
  return ::setenv("HOLDFAST_LOCK_ORDER", "abort", 1) == 0;
}();

}  // namespace
