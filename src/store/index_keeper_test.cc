// Decision 13 on a test clock: how soon an index is written, and that nobody waits for it.
#include "store/index_keeper.h"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast::inline v1 {
namespace {

using std::chrono::milliseconds;

// Time stands still until the test ends a rest.
class TestTime final : public KeeperTime {
 public:
  std::chrono::steady_clock::time_point ticks() override {
    const std::scoped_lock guard(mutex_);
    return now_;
  }
  void rest(const std::stop_token& stop, std::chrono::steady_clock::duration time) override {
    std::unique_lock guard(mutex_);
    rests_.push_back(std::chrono::duration_cast<milliseconds>(time));
    changed_.notify_all();
    const std::size_t mine = rests_.size();
    changed_.wait(guard, stop, [&] { return ended_ >= mine; });
    now_ += time;
  }

  // Waits for the keeper's n-th rest and returns its length.
  milliseconds wait_for_rest(std::size_t n) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return rests_.size() >= n; });
    return rests_[n - 1];
  }
  void end_rest() {
    const std::scoped_lock guard(mutex_);
    ++ended_;
    changed_.notify_all();
  }
  void pass(milliseconds time) {
    const std::scoped_lock guard(mutex_);
    now_ += time;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::chrono::steady_clock::time_point now_{};
  std::vector<milliseconds> rests_;
  std::size_t ended_ = 0;
};

// Records what was written, in order; each write takes `cost`.
class Written {
 public:
  explicit Written(TestTime& time) : time_(time) {}
  void operator()(const std::string& group) {
    time_.pass(cost);
    const std::scoped_lock guard(mutex_);
    groups_.push_back(group);
    changed_.notify_all();
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return groups_.size() >= count; });
    return groups_;
  }
  std::vector<std::string> now() {
    const std::scoped_lock guard(mutex_);
    return groups_;
  }
  milliseconds cost{0};

 private:
  TestTime& time_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> groups_;
};

struct IndexKeeperTest : testing::Test {
  TestTime time;
  Written written{time};
};

TEST_F(IndexKeeperTest, O06_IndexIsWrittenWithin250MillisecondsInBackground) {
  written.cost = milliseconds(25);  // for each of two groups
  IndexKeeper keeper([this](const std::string& group) { written(group); }, time);
  keeper.touch("a");
  const milliseconds rest = time.wait_for_rest(1);
  keeper.touch("a");
  keeper.touch("b");
  EXPECT_TRUE(written.now().empty()) << "who touches goes on at once";
  EXPECT_LE(rest + 2 * written.cost, milliseconds(250));
  EXPECT_GE(rest, milliseconds(100)) << "many changes are one write";
  time.end_rest();
  EXPECT_EQ(written.wait_for(2), (std::vector<std::string>{"a", "b"}));
  keeper.touch("b");
  EXPECT_EQ(time.wait_for_rest(2), rest) << "an index that is made in 50 ms is never made less often";
  time.end_rest();
  EXPECT_EQ(written.wait_for(3).back(), "b");
}

TEST_F(IndexKeeperTest, O06_SlowIndexIsWrittenLessOften) {
  written.cost = milliseconds(300);
  IndexKeeper keeper([this](const std::string& group) { written(group); }, time);
  keeper.touch("a");
  time.wait_for_rest(1);
  time.end_rest();
  written.wait_for(1);
  keeper.touch("a");
  EXPECT_EQ(time.wait_for_rest(2), milliseconds(1200));
}

TEST_F(IndexKeeperTest, O06_FlushAndDestructorWriteDueIndexesAtOnce) {
  {
    IndexKeeper keeper([this](const std::string& group) { written(group); }, time);
    keeper.touch("a");
    time.wait_for_rest(1);
    keeper.flush();
    EXPECT_EQ(written.now(), std::vector<std::string>{"a"});
    keeper.touch("b");  // the rest that began with "a" never ends
  }
  EXPECT_EQ(written.now(), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace holdfast::inline v1
