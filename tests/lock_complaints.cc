// In every test program and the laboratory, taking a lock out of order aborts the
// process; the same holds for the programs that they start.
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
