// In every test program and the laboratory: a lock that is taken out of order ends
// the process, and so it does in the programs that they start.
#include <cstdio>
#include <cstdlib>

#include "base/lock_rank.h"

namespace {

const bool told = [] {
  holdfast::set_lock_complaint([](const char* text) noexcept {
    std::fprintf(stderr, "%s\n", text);
    std::abort();
  });
  return ::setenv("HOLDFAST_LOCK_ORDER", "abort", 1) == 0;
}();

}  // namespace
