#include "base/parallel.h"

#include <gtest/gtest.h>

#include <set>

#include "base/thread_limit_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(InParallel, EveryItemRunsOnceWithAnyThreadLimit) {
  for (const long left : {0L, 1L, 1000L}) {
    const ScopedThreadLimit threads(left);
    std::vector<std::atomic<int>> done(300);
    in_parallel(done.size(), 2, [&](std::size_t i) { ++done[i]; });
    for (const auto& one : done) EXPECT_EQ(one, 1) << left;
  }
}

// An exception on a helper thread once ended the process.
TEST(InParallel, ExceptionsReachTheCaller) {
  for (const long left : {0L, 1L, 1000L}) {
    const ScopedThreadLimit threads(left);
    EXPECT_THROW(in_parallel(300, 2, [](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc) << left;
  }
}

TEST(InOrder, RunsOnTheCallerWithoutThreads) {
  for (const long left : {0L, 1L}) {
    const ScopedThreadLimit threads(left);
    std::vector<std::size_t> taken;
    run_in_order(
        100, 7, [](std::size_t n) { return n; },
        [&](std::size_t n) {
          taken.push_back(n);
          return true;
        });
    EXPECT_EQ(taken.size(), 100u) << left;
    EXPECT_TRUE(std::ranges::is_sorted(taken)) << left;
    EXPECT_THROW(run_in_order(
                     100, 7, [](std::size_t) -> int { throw std::bad_alloc(); }, [](int) { return true; }),
                 std::bad_alloc)
        << left;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
