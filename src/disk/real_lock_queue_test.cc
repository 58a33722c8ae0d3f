// Waiting for a lock on the real file system: in order, and with a time limit.
#include "disk/real_lock_queue.h"

#include <holdfast/root.h>

#include <fstream>
#include <mutex>
#include <thread>

#include "base/thread_limit_testing.h"
#include "crash/disk/sim_testing.h"
#include "disk/lock_wait.h"
#include "disk/real_testing.h"

namespace holdfast::inline v1 {
namespace {

using std::chrono_literals::operator""ms;

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
