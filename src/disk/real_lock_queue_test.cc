// Waiting for a lock on the real file system: in order, and with a time limit.
#include "disk/real_lock_queue.h"

#include <holdfast/root.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <fstream>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>

#include "base/thread_limit_testing.h"
#include "crash/disk/sim_testing.h"
#include "disk/lock_wait.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

using namespace std::chrono_literals;

struct LockQueueTest : testing::Test {
  TemporaryDirectory directory;
  std::shared_ptr<Root> root = must(Root::open({}, real_file_system(), directory.path()));
  std::unique_ptr<File> holder = must(root->directory().open("file", OpenMode::create_update));

  LockQueueTest() { EXPECT_TRUE(must(holder->try_lock(LockKind::exclusive))); }
  std::unique_ptr<File> another() { return must(root->directory().open("file", OpenMode::update)); }

  // How many processes wait for the file, according to the kernel.
  std::size_t waiting() {
    const std::string inode = ":" + std::to_string(must(holder->stat()).inode) + " ";
    std::ifstream locks("/proc/locks");
    std::size_t count = 0;
    for (std::string line; std::getline(locks, line);)
      count += line.contains("-> FLOCK") && line.contains(inode) ? 1 : 0;
    return count;
  }
  void until_waiting(std::size_t count) {
    while (waiting() != count) std::this_thread::yield();
  }
};

TEST_F(LockQueueTest, WaitersAreServedInOrder) {
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      auto file = another();
      must(wait_for_lock({}, *file, LockKind::exclusive, "file"));
      const std::scoped_lock guard(mutex);
      order.push_back(i);
    });
    until_waiting(static_cast<std::size_t>(i) + 1);
  }
  holder->unlock();
  threads.clear();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(LockQueueTest, WaitEndsAtDeadlineOrCancellation) {
  auto file = another();
  EXPECT_CODE(wait_for_lock(Context{}.within(30ms), *file, LockKind::exclusive, "file"), Code::busy);
  std::stop_source stop;
  Context context;
  context.stop = stop.get_token();
  std::jthread other([&] {
    until_waiting(1);
    stop.request_stop();
  });
  EXPECT_CODE(wait_for_lock(context, *file, LockKind::exclusive, "file"), Code::cancelled);
}

// The abandoned thread must neither keep the lock nor take it from a caller
// that asks again with the same file.
TEST_F(LockQueueTest, TimedOutWaiterCanTryAgain) {
  auto file = another();
  // On a busy machine, the time can be up before the waiter is queued.
  for (int i = 0; i < 3 || waiting() != 1; ++i)
    EXPECT_CODE(wait_for_lock(Context{}.within(10ms), *file, LockKind::exclusive, "file"), Code::busy);
  EXPECT_FALSE(must(file->try_lock(LockKind::exclusive)));
  holder->unlock();
  must(wait_for_lock({}, *file, LockKind::exclusive, "file"));
  until_waiting(0);
  EXPECT_FALSE(must(holder->try_lock(LockKind::exclusive))) << "it has the lock, and keeps it";
  file->unlock();
  EXPECT_TRUE(must(holder->try_lock(LockKind::exclusive)));
}

TEST_F(LockQueueTest, AbandonedWaitersHoldNothing) {
  // On a busy machine, the time can be up before the waiter is queued.
  while (waiting() < 3)
    EXPECT_CODE(wait_for_lock(Context{}.within(10ms), *another(), LockKind::exclusive, "file"), Code::busy);
  holder->unlock();
  auto file = another();
  must(wait_for_lock({}, *file, LockKind::exclusive, "file"));
}

TEST_F(LockQueueTest, PollsWithoutThreads) {
  const ScopedThreadLimit none(0);
  auto file = another();
  EXPECT_CODE(wait_for_lock(Context{}.within(30ms), *file, LockKind::exclusive, "file"), Code::busy);
  holder->unlock();
  must(wait_for_lock({}, *file, LockKind::exclusive, "file"));
}

// A clock that only the test moves.
struct LeapingClock final : Clock {
  explicit LeapingClock(const std::atomic<std::chrono::seconds>& passed_in) : passed(passed_in) {}
  std::chrono::system_clock::time_point now() const override { return std::chrono::system_clock::now(); }
  std::chrono::steady_clock::time_point ticks() const override {
    ++looks;
    return std::chrono::steady_clock::time_point(passed.load());
  }
  void sleep(std::chrono::nanoseconds time) const override { std::this_thread::sleep_for(time); }
  // Until whoever waits by this clock has seen the time that it was at `since`, and acted on it, or its wait is over.
  void until_seen(const std::atomic<bool>& over, int since) const {
    while (!over && looks < since + 4) std::this_thread::yield();  // at most two looks belong together
  }
  void until_seen(const std::atomic<bool>& over) const { until_seen(over, looks); }

  const std::atomic<std::chrono::seconds>& passed;
  mutable std::atomic<int> looks = 0;
};

struct LeapingTime {
  std::atomic<std::chrono::seconds> passed{24h};
  LeapingClock clock{passed};
  Context context{.clock = &clock};
  void leap(std::chrono::seconds time = kLockWait * 2 / 3) { passed = passed.load() + time; }
};

// In a long queue, everybody is served in the end; only a lock that stays with its holder is given up.
TEST_F(LockQueueTest, WaitGoesOnWhileLockChangesHands) {
  const auto changed = [](File& file) { return must(file.stat()).ctime_ns; };
  const std::int64_t unmarked = changed(*holder);
  const auto probe = must(root->directory().open("probe", OpenMode::create_update));
  while (changed(*probe) == unmarked) must(probe->set_mode(0600));  // the kernel's clock may move once a tick
  LeapingTime time;
  auto first = another(), second = another();
  Result<void> got_first, got_second;
  std::atomic<bool> over = false;
  std::latch done(1);
  std::jthread one([&] {
    got_first = wait_for_turn(time.context, *first, LockKind::exclusive, "file");
    done.wait();
    first->unlock();
  });
  until_waiting(1);
  std::jthread two([&] {
    got_second = wait_for_turn(time.context, *second, LockKind::exclusive, "file");
    over = true;
  });
  until_waiting(2);
  time.leap();
  holder->unlock();
  while (changed(*holder) == unmarked) std::this_thread::yield();
  time.leap();
  time.clock.until_seen(over);
  done.count_down();
  two.join();
  one.join();
  EXPECT_OK(got_first);
  EXPECT_OK(got_second);
  std::jthread three([&] { got_first = wait_for_turn(time.context, *first, LockKind::exclusive, "file"); });
  until_waiting(1);
  time.leap();
  time.leap();
  three.join();
  EXPECT_CODE(got_first, Code::busy);
}

// One that waits for a mutex that two others have asked for before. Gives it back as told; returns what it was told.
Result<void> wait_behind_another(bool used) {
  FairMutex fair;
  LeapingTime time;
  must(fair.lock({}, "x"));
  Result<void> got_first, got_second;
  std::atomic<bool> over = false;
  std::jthread one([&] { got_first = fair.lock(time.context, "x"); });
  while (fair.waiting() != 1) std::this_thread::yield();
  std::jthread two([&] {
    got_second = fair.lock(time.context, "x");
    over = true;
  });
  while (fair.waiting() != 2) std::this_thread::yield();
  time.leap();
  fair.unlock(used);
  one.join();
  EXPECT_OK(got_first);
  time.leap();
  time.clock.until_seen(over);
  if (!over) fair.unlock();
  two.join();
  return got_second;
}

TEST(FairMutex, WaitGoesOnWhileItChangesHands) {
  EXPECT_OK(wait_behind_another(true));
  EXPECT_CODE(wait_behind_another(false), Code::busy) << "the first one got it, and nothing done";
}

TEST(FairMutex, WaitEndsWhenItStaysWithOneHolder) {
  FairMutex fair;
  LeapingTime time;
  must(fair.lock({}, "x"));
  Result<void> got;
  std::jthread one([&] { got = fair.lock(time.context, "x"); });
  while (fair.waiting() != 1) std::this_thread::yield();
  time.leap();
  time.leap();
  one.join();
  EXPECT_CODE(got, Code::busy);
}

// While a process that is stuck holds the lock of a root, everybody else who gets his turn before it fails.
struct StuckRoot : LockQueueTest {
  static constexpr std::chrono::seconds kStep{5};
  static constexpr std::size_t kCount = 8;
  std::unique_ptr<File> stuck;

  StuckRoot() {
    holder->unlock();
    must(root->lock({}));
    stuck = must(root->directory().open(root->side("lock"), OpenMode::update));
    EXPECT_TRUE(must(stuck->try_lock(LockKind::exclusive)));
  }

  struct Caller {
    LeapingClock clock;
    Result<void> got;
    std::chrono::seconds waited{};
    std::atomic<bool> over = false;
    std::jthread thread;
    explicit Caller(const std::atomic<std::chrono::seconds>& passed) : clock(passed) {}
  };

  // Callers that come one after the other. Returns how long the most patient one waited.
  static std::chrono::seconds longest(const std::function<Result<void>(const Context&, std::size_t)>& wait) {
    LeapingTime time;
    std::deque<Caller> callers;
    while (callers.size() < kCount ||
           !std::ranges::all_of(callers, [](const Caller& each) { return each.over.load(); })) {
      if (const std::size_t i = callers.size(); i < kCount) {
        Caller& caller = callers.emplace_back(time.passed);
        caller.thread = std::jthread([&, i, begin = time.passed.load()] {
          caller.got = wait({.clock = &caller.clock}, i);
          caller.waited = time.passed.load() - begin;
          caller.over = true;
        });
      }
      std::vector<int> looks;
      for (const Caller& each : callers) looks.push_back(each.clock.looks);
      for (std::size_t i = 0; i < callers.size(); ++i) callers[i].clock.until_seen(callers[i].over, looks[i]);
      time.leap(kStep);
    }
    for (const Caller& each : callers) EXPECT_CODE(each.got, Code::busy);
    return std::ranges::max_element(callers, {}, &Caller::waited)->waited;
  }
};

TEST_F(StuckRoot, ThreadsAreRefusedSoon) {
  const auto waited = longest([&](const Context& context, std::size_t) -> Result<void> {
    HOLDFAST_LET(held, root->lock(context));
    return {};
  });
  EXPECT_LE(waited, 2 * kLockWait + 2 * kStep);
}

TEST_F(StuckRoot, ProcessesWithAnotherLockBeforeItAreRefusedSoon) {
  std::vector<std::shared_ptr<Root>> roots;
  for (std::size_t i = 0; i < kCount; ++i) roots.push_back(must(Root::open({}, real_file_system(), directory.path())));
  const auto waited = longest([&](const Context& context, std::size_t i) -> Result<void> {
    HOLDFAST_LET(file, roots[i]->directory().open("file", OpenMode::update));
    HOLDFAST_TRY(wait_for_turn(context, *file, LockKind::exclusive, "file"));
    HOLDFAST_LET(held, roots[i]->lock(context));
    return {};
  });
  EXPECT_LE(waited, 3 * kLockWait + 2 * kStep);
}

TEST(FairMutex, ServesThreadsInOrder) {
  FairMutex fair;
  must(fair.lock({}, "x"));
  EXPECT_CODE(fair.lock(Context{}.within(30ms), "x"), Code::busy);
  std::vector<int> order;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      must(fair.lock({}, "x"));
      order.push_back(i);
      fair.unlock();
    });
    while (fair.waiting() != static_cast<std::size_t>(i) + 1) std::this_thread::yield();
  }
  fair.unlock();
  threads.clear();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace holdfast::inline v1
