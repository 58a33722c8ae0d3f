#include "doors/rpc/line_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "doors/rpc/line_input.h"

namespace holdfast::inline v1 {
namespace {

struct LineOutputTest : testing::Test {
  void SetUp() override {
    ::signal(SIGPIPE, SIG_IGN);
    ASSERT_EQ(::pipe2(ends_, O_CLOEXEC), 0);
  }
  void TearDown() override {
    ::close(ends_[1]);
    if (ends_[0] >= 0) ::close(ends_[0]);
  }
  int ends_[2] = {-1, -1};
};

TEST_F(LineOutputTest, LinesArriveInOrder) {
  LineOutput output(ends_[1], [] {});
  LineInput input(ends_[0], std::size_t{1} << 20);
  const std::string large(300'000, 'x');
  output.write("one");
  EXPECT_TRUE(output.offer("two"));
  output.write(large);
  EXPECT_EQ("one", **input.next());
  EXPECT_EQ("two", **input.next());
  EXPECT_EQ(large, **input.next());
  output.finish();
}

// An event for a client that does not read is dropped; nobody waits for it.
TEST_F(LineOutputTest, UnreadOutputIsBounded) {
  LineOutput output(ends_[1], [] {});
  const std::string line(100'000, 'x');
  int taken = 0;
  while (output.offer(line)) ASSERT_LT(++taken, 1000);
  EXPECT_GE(taken, 40);
  LineInput input(ends_[0], std::size_t{1} << 20);
  for (int i = 0; i < taken; ++i) ASSERT_EQ(line, **input.next());
  output.finish();
  EXPECT_TRUE(output.offer(line));
  EXPECT_EQ(line, **input.next());
}

TEST_F(LineOutputTest, LostReaderIsReportedOnce) {
  std::atomic<int> lost = 0;
  ::close(ends_[0]);
  ends_[0] = -1;
  LineOutput output(ends_[1], [&] { ++lost; });
  output.write("one");
  output.finish();
  output.write("two");
  EXPECT_TRUE(output.finish()) << "no error";
  EXPECT_EQ(1, lost.load());
}

// Only when the door has to end: seconds, not forever.
TEST_F(LineOutputTest, HurryGivesUpOnStalledReader) {
  std::atomic<bool> lost = false;
  {
    LineOutput output(ends_[1], [&] { lost = true; });
    output.write(std::string(200'000, 'x'));
    output.hurry();
    output.finish();
  }
  EXPECT_TRUE(lost);
}

}  // namespace
}  // namespace holdfast::inline v1
