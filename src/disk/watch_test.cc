#include <holdfast/watch.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "disk/real_testing.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

class WatchTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = real_file_system().open_directory(temporary_.path(), false);
    ASSERT_TRUE(opened);
    directory_ = std::move(*opened);
    auto made = Watch::create();
    ASSERT_TRUE(made) << made.error().text();
    watch_.emplace(std::move(*made));
    EXPECT_OK(watch_->add(temporary_.path()));
  }
  std::vector<std::string> changes(std::chrono::nanoseconds time = 10s) {
    const auto changed = watch_->wait(Context{}.within(time));
    return changed ? changed->paths : std::vector<std::string>{std::string(code_name(changed.error().code))};
  }
  using Paths = std::vector<std::string>;

  TemporaryDirectory temporary_;
  std::unique_ptr<Directory> directory_;
  std::optional<Watch> watch_;
};

TEST_F(WatchTest, ReportsAndMergesChanges) {
  auto file = directory_->open("b", OpenMode::create_append);
  ASSERT_TRUE(file);
  EXPECT_OK((*file)->append("1"));
  EXPECT_OK((*file)->append("2"));
  EXPECT_OK(directory_->make_directory("a"));
  EXPECT_EQ(changes(), (Paths{temporary_.path("a"), temporary_.path("b")}));
  EXPECT_OK((*file)->append("3"));
  EXPECT_EQ(changes(), Paths{temporary_.path("b")});
  EXPECT_OK(directory_->rename("b", "c"));
  EXPECT_EQ(changes(), (Paths{temporary_.path("b"), temporary_.path("c")}));
  EXPECT_OK((*file)->truncate(0));
  EXPECT_EQ(changes(), Paths{temporary_.path("c")});
  EXPECT_OK(directory_->remove("c"));
  EXPECT_EQ(changes(), Paths{temporary_.path("c")});
  EXPECT_EQ(changes(20ms), Paths{"deadline_exceeded"});
}

TEST_F(WatchTest, ReportsChangeMadeDuringWait) {
  const std::jthread writer([&] {
    std::this_thread::sleep_for(30ms);
    (void)directory_->open("f", OpenMode::create_update);
  });
  EXPECT_EQ(changes(), Paths{temporary_.path("f")});
}

TEST_F(WatchTest, AddingTwiceIsHarmless) {
  EXPECT_OK(watch_->add(temporary_.path() + "/"));
  (void)directory_->open("f", OpenMode::create_update);
  EXPECT_EQ(changes(), Paths{temporary_.path("f")});
}

TEST_F(WatchTest, RejectsUnwatchablePaths) {
  (void)directory_->open("f", OpenMode::create_update);
  EXPECT_CODE(watch_->add(temporary_.path("missing")), Code::not_found);
  EXPECT_CODE(watch_->add(temporary_.path("f")), Code::unsafe_path);
  EXPECT_CODE(watch_->add("relative"), Code::invalid_argument);
}

// Other programs can use up a user's inotify instances: then directories are polled.
TEST_F(WatchTest, PollsWithoutInotify) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  rlimit one_more = before;
  one_more.rlim_cur = static_cast<rlim_t>(next) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &one_more), 0);
  auto made = Watch::create();  // gets its event descriptor, but no inotify
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_TRUE(made) << made.error().text();
  watch_.emplace(std::move(*made));
  EXPECT_EQ(watch_->add(temporary_.path("nothing")).error().code, Code::not_found);
  EXPECT_OK(watch_->add(temporary_.path()));
  EXPECT_OK(watch_->add(temporary_.path()));
  auto file = directory_->open("b", OpenMode::create_append);
  ASSERT_TRUE(file);
  EXPECT_EQ(changes(), Paths{temporary_.path("b")});
  EXPECT_OK((*file)->append("1"));
  EXPECT_EQ(changes(), Paths{temporary_.path("b")});
  EXPECT_OK(directory_->rename("b", "c"));
  EXPECT_EQ(changes(), (Paths{temporary_.path("b"), temporary_.path("c")}));
  EXPECT_OK(directory_->remove("c"));
  EXPECT_EQ(changes(), Paths{temporary_.path("c")});
  EXPECT_EQ(changes(20ms), Paths{"deadline_exceeded"});
  watch_->wake();
  EXPECT_EQ(changes(), Paths{});
}

TEST_F(WatchTest, WakeReturnsEmptyResult) {
  watch_->wake();
  watch_->wake();
  EXPECT_EQ(changes(), Paths{});
  EXPECT_EQ(changes(10ms), Paths{"deadline_exceeded"}) << "two wakes before a wait are one";
  const std::jthread waker([&] {
    std::this_thread::sleep_for(30ms);
    watch_->wake();
  });
  EXPECT_EQ(changes(), Paths{});
}

TEST_F(WatchTest, WaitEndsAtDeadline) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(changes(50ms), Paths{"deadline_exceeded"});
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(took, 50ms);
  EXPECT_LT(took, 5s);
  EXPECT_EQ(changes(-1s), Paths{"deadline_exceeded"});
}

// A frozen test clock must not make the wait endless.
TEST_F(WatchTest, DeadlinePassesInRealTime) {
  struct Frozen final : Clock {
    std::chrono::system_clock::time_point now() const override { return {}; }
    std::chrono::steady_clock::time_point ticks() const override { return {}; }
    void sleep(std::chrono::nanoseconds) const override {}
  } frozen;
  Context context;
  context.clock = &frozen;
  EXPECT_CODE(watch_->wait(context.within(30ms)), Code::deadline_exceeded);
  context.deadline = std::chrono::steady_clock::time_point::max();
  watch_->wake();
  EXPECT_OK(watch_->wait(context));
}

TEST_F(WatchTest, WaitEndsWhenCancelled) {
  std::stop_source source;
  Context context;
  context.stop = source.get_token();
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(30ms);
    source.request_stop();
  });
  EXPECT_CODE(watch_->wait(context), Code::cancelled);
  EXPECT_CODE(watch_->wait(context), Code::cancelled);
  watch_->wake();
  EXPECT_CODE(watch_->wait(context), Code::cancelled);
  EXPECT_EQ(changes(), Paths{}) << "the wake was kept for the next wait";
}

TEST_F(WatchTest, RemovedDirectoryIsReportedAndForgotten) {
  EXPECT_OK(directory_->make_directory("d"));
  EXPECT_EQ(changes(), Paths{temporary_.path("d")});
  auto made = Watch::create();
  ASSERT_TRUE(made);
  watch_.emplace(std::move(*made));
  EXPECT_OK(watch_->add(temporary_.path("d")));
  EXPECT_OK(directory_->rename("d", "e"));
  EXPECT_EQ(changes(), Paths{temporary_.path("d")});
  (void)directory_->open("e/f", OpenMode::create_update);
  EXPECT_EQ(changes(20ms), Paths{"deadline_exceeded"}) << "no events under a name that is gone";
  EXPECT_OK(watch_->add(temporary_.path("e")));
  EXPECT_OK(directory_->remove("e/f"));
  EXPECT_EQ(changes(), Paths{temporary_.path("e/f")});
  EXPECT_OK(directory_->remove_directory("e"));
  EXPECT_EQ(changes(), Paths{temporary_.path("e")});
  EXPECT_OK(directory_->make_directory("e"));
  EXPECT_OK(watch_->add(temporary_.path("e")));
  (void)directory_->open("e/g", OpenMode::create_update);
  EXPECT_EQ(changes(), Paths{temporary_.path("e/g")});
}

TEST_F(WatchTest, EveryAppendIsEventuallySeen) {
  constexpr std::uint64_t kAppends = 1000;
  (void)directory_->open("log", OpenMode::create_append);
  const std::jthread writer([&] {
    const auto file = directory_->open("log", OpenMode::append);
    for (std::uint64_t i = 0; file && i < kAppends; ++i) (void)(*file)->append("line\n");
  });
  std::uint64_t seen = 0;
  int events = 0;
  while (seen < kAppends * 5) {
    const auto changed = watch_->wait(Context{}.within(10s));
    ASSERT_TRUE(changed) << changed.error().text() << " after " << seen;
    ++events;
    seen = directory_->stat("log")->size;
  }
  EXPECT_GE(events, 1);
}

}  // namespace
}  // namespace holdfast
