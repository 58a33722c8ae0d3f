#include "base/lock_rank.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/another_process.h"
#include "base/mutex.h"

namespace holdfast::inline v1 {
namespace {

std::vector<std::string>& findings() {
  static std::vector<std::string> list;
  return list;
}

struct LockRanks : testing::Test {
  void SetUp() override {
    findings().clear();
    before = set_lock_complaint([](const char* text) noexcept { findings().emplace_back(text); });
  }
  void TearDown() override { set_lock_complaint(before); }
  LockComplaint before = nullptr;
};

TEST_F(LockRanks, RisingRanksAreAccepted) {
  const RankHold records(LockRank::records);
  const RankHold root(LockRank::root, {1, 2});
  const RankHold another(LockRank::root, {1, 3});
  const RankHold log(LockRank::log);
  Mutex leaf;
  const ScopedLock guard(leaf);
  EXPECT_TRUE(findings().empty());
}

TEST_F(LockRanks, LowerOrEqualRankIsReported) {
  const RankHold log(LockRank::log);
  {
    const RankHold root(LockRank::root);
  }
  ASSERT_EQ(1U, findings().size());
  EXPECT_EQ("lock order (I-19): taking one of rank root while a lock of rank log is held", findings()[0]);
  const RankHold second(LockRank::log);
  EXPECT_EQ(2U, findings().size());
}

TEST_F(LockRanks, RootsOutOfOrderAreReported) {
  const RankHold second(LockRank::root, {1, 3});
  const RankHold first(LockRank::root, {1, 2});
  EXPECT_EQ(1U, findings().size());
}

TEST_F(LockRanks, HoldsCanBeMovedAndReleasedInAnyOrder) {
  RankHold root(LockRank::root);
  RankHold log(LockRank::log);
  RankHold moved = std::move(root);
  moved.drop();
  log = RankHold();
  const RankHold again(LockRank::opening);
  EXPECT_TRUE(findings().empty());
}

TEST_F(LockRanks, RanksAreTrackedPerThread) {
  const RankHold log(LockRank::log);
  std::thread([] { const RankHold root(LockRank::root); }).join();
  EXPECT_TRUE(findings().empty());
}

TEST_F(LockRanks, WaitingUnderALockIsReported) {
  check_no_locks_held("a listener");
  EXPECT_TRUE(findings().empty());
  const RankHold records(LockRank::records);
  check_no_locks_held("a listener");
  ASSERT_EQ(1U, findings().size());
  EXPECT_EQ("lock order (I-19): waiting for a listener while a lock of rank records is held", findings()[0]);
}

TEST_F(LockRanks, DeferredWorkRunsAfterLastUnlock) {
  std::vector<int> done;
  Mutex outer(LockRank::opening), inner;
  {
    const ScopedLock first(outer);
    {
      const ScopedLock second(inner);
      when_unlocked([&] {
        done.push_back(1);
        when_unlocked([&] { done.push_back(3); });
      });
      when_unlocked([&] { done.push_back(2); });
    }
    EXPECT_TRUE(done.empty());
  }
  EXPECT_EQ((std::vector<int>{1, 2, 3}), done);
  when_unlocked([&] { done.push_back(4); });
  EXPECT_EQ(4U, done.size());
}

TEST_F(LockRanks, SimulatedProcessHoldsNoLocks) {
  std::vector<int> done;
  {
    Mutex outer(LockRank::log);
    const ScopedLock guard(outer);
    when_unlocked([&] { done.push_back(1); });
    {
      const AnotherProcess other;
      const RankHold root(LockRank::root);
      EXPECT_TRUE(done.empty());
    }
    EXPECT_TRUE(findings().empty());
    const RankHold root(LockRank::root);
    EXPECT_EQ(1U, findings().size());
  }
  EXPECT_EQ(1U, done.size());
}

}  // namespace
}  // namespace holdfast::inline v1
