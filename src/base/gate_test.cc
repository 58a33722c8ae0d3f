#include "base/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace holdfast::inline v1 {
namespace {

TEST(Gate, CloseWaitsForOpenPasses) {
  Gate gate(LockRank::session);
  int value = 0;
  auto pass = std::make_unique<Gate::Pass>(gate);
  ASSERT_TRUE(*pass);
  std::atomic<bool> begun = false;
  std::thread closer([&] {
    begun = true;
    EXPECT_TRUE(gate.close());
    EXPECT_EQ(1, value);
    gate.closed();
  });
  while (!begun) std::this_thread::yield();
  value = 1;  // if the closer did not wait, the thread sanitizer reports a race
  pass.reset();
  closer.join();
  EXPECT_FALSE(Gate::Pass(gate));
  EXPECT_FALSE(gate.close()) << "only the first one closes";
}

TEST(Gate, LaterClosersWaitForTheFirst) {
  Gate gate(LockRank::session);
  std::atomic<int> closers = 0;
  int closed_by = 0;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back([&, i] {
      if (!gate.close()) {
        EXPECT_NE(0, closed_by);
        return;
      }
      ++closers;
      closed_by = i;
      gate.closed();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(1, closers);
}

}  // namespace
}  // namespace holdfast::inline v1
