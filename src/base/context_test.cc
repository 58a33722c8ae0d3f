#include <gtest/gtest.h>
#include <holdfast/context.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

struct TestClock final : Clock {
  mutable std::chrono::steady_clock::time_point time{1h};
  std::chrono::system_clock::time_point now() const override { return {}; }
  std::chrono::steady_clock::time_point ticks() const override { return time; }
  void sleep(std::chrono::nanoseconds span) const override { time += span; }
};

TEST(Context, DefaultHasNoDeadline) {
  const Context context;
  EXPECT_TRUE(context.check());
  EXPECT_FALSE(context.deadline);
  ASSERT_EQ(context.clock, &system_clock());
  const auto before = context.clock->ticks();
  context.clock->sleep(1ms);
  EXPECT_GE(context.clock->ticks() - before, 1ms);
  EXPECT_GT(context.clock->now().time_since_epoch(), 24h * 365 * 50);
}

TEST(Context, DeadlineUsesTheContextsClock) {
  const TestClock clock;
  Context context;
  context.clock = &clock;
  const Context bounded = context.within(10s);
  EXPECT_TRUE(bounded.check());
  clock.sleep(10s - 1ns);
  EXPECT_TRUE(bounded.check());
  clock.sleep(1ns);
  ASSERT_FALSE(bounded.check());
  EXPECT_EQ(bounded.check().error().code, Code::deadline_exceeded);
  EXPECT_TRUE(context.check()) << "the original is unchanged";
}

TEST(Context, WithinOnlyShortens) {
  const TestClock clock;
  Context context;
  context.clock = &clock;
  const Context bounded = context.within(10s);
  EXPECT_EQ(bounded.within(1h).deadline, bounded.deadline);
  EXPECT_EQ(*bounded.within(1s).deadline, clock.ticks() + 1s);
}

TEST(Context, CancellationTakesPrecedenceOverDeadline) {
  std::stop_source source;
  const TestClock clock;
  Context context;
  context.clock = &clock;
  context.stop = source.get_token();
  const Context bounded = context.within(0s);
  EXPECT_EQ(bounded.check().error().code, Code::deadline_exceeded);
  source.request_stop();
  EXPECT_EQ(bounded.check().error().code, Code::cancelled);
  EXPECT_EQ(context.check().error().code, Code::cancelled);
}

}  // namespace
}  // namespace holdfast
