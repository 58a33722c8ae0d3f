#include "base/run_in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

namespace holdfast::inline v1 {
namespace {

TEST(InOrder, ResultsAreTakenInOrder) {
  for (const std::size_t threads : {1u, 2u, 7u}) {
    std::vector<std::size_t> taken;
    run_in_order(
        500, threads,
        [](std::size_t n) {
          if (n % 7 == 0) std::this_thread::yield();
          return n;
        },
        [&](std::size_t n) {
          taken.push_back(n);
          return true;
        });
    std::vector<std::size_t> expected(500);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(taken, expected) << threads;
  }
}

TEST(InOrder, StopsSoonAfterTheConsumerStops) {
  for (const std::size_t threads : {1u, 3u}) {
    std::atomic<std::size_t> done = 0;
    std::size_t taken = 0;
    run_in_order(100'000, threads, [&](std::size_t n) { return ++done, n; }, [&](std::size_t) { return ++taken < 5; });
    EXPECT_EQ(taken, 5u);
    EXPECT_LT(done, 1000u) << "it ran far ahead";
  }
}

TEST(InOrder, AcceptsZeroItems) {
  for (const std::size_t threads : {1u, 4u}) {
    run_in_order(
        0, threads,
        [](std::size_t n) {
          ADD_FAILURE() << "there is no item " << n;
          return n;
        },
        [](std::size_t n) {
          ADD_FAILURE() << "there is no result " << n;
          return false;
        });
  }
}

TEST(InOrder, ExceptionsReachTheCaller) {
  const auto fails = [](std::size_t n) {
    if (n == 20) throw std::runtime_error("twenty");
    return n;
  };
  const auto all = [](std::size_t) { return true; };
  EXPECT_THROW(run_in_order(100, 1, fails, all), std::runtime_error);
  EXPECT_THROW(run_in_order(100, 4, fails, all), std::runtime_error);
  const auto refuses = [](std::size_t n) -> bool {
    if (n == 3) throw std::runtime_error("three");
    return true;
  };
  EXPECT_THROW(run_in_order(100, 4, [](std::size_t n) { return n; }, refuses), std::runtime_error);
}

}  // namespace
}  // namespace holdfast::inline v1
