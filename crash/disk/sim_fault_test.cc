// Injected faults: errors, short writes, kills, and syncs that lie.
#include <cerrno>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

using Kind = Injection::Kind;

class SimFaultTest : public ::testing::Test {
 protected:
  void append(File& file, std::string_view bytes) { ASSERT_EQ(must(file.append(bytes)), bytes.size()); }
  template <typename Call>
  void fail_once(SimCallKind kind, int error, const Call& call) {
    OneFault fault(kind, {Kind::fail, error, Injection::kDefault});
    disk_.set_observer(&fault);
    const auto result = call();
    disk_.set_observer(nullptr);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().os_error, error);
  }

  SimFileSystem disk_;
  std::unique_ptr<Directory> root_ = must(disk_.open_directory("/", false));
};

TEST_F(SimFaultTest, FailedCallHasNoEffect) {
  must(disk_.put_file("/f", "abc"));
  auto log = must(root_->open("f", OpenMode::append));
  fail_once(SimCallKind::append, ENOSPC, [&] { return log->append("x"); });
  fail_once(SimCallKind::truncate, EIO, [&] { return log->truncate(0); });
  fail_once(SimCallKind::rename, EACCES, [&] { return root_->rename("f", "g"); });
  fail_once(SimCallKind::make_link, EIO, [&] { return root_->make_link("f", "g"); });
  fail_once(SimCallKind::make_symlink, EIO, [&] { return root_->make_symlink("f", "g"); });
  fail_once(SimCallKind::make_directory, EDQUOT, [&] { return root_->make_directory("g"); });
  fail_once(SimCallKind::remove, EROFS, [&] { return root_->remove("f"); });
  fail_once(SimCallKind::create, ENOSPC, [&] { return root_->open("g", OpenMode::create_append); });
  fail_once(SimCallKind::set_mode, EPERM, [&] { return log->set_mode(0); });
  EXPECT_EQ(picture(disk_), "/f=abc");
  EXPECT_EQ(disk_.pending(), 0u);
}

TEST_F(SimFaultTest, ShortWriteLeavesPrefix) {
  auto log = must(root_->open("f", OpenMode::create_append));
  OneFault half(SimCallKind::append, {Kind::short_write, 0, Injection::kDefault});
  disk_.set_observer(&half);
  EXPECT_EQ(must(log->append("12345")), 3u);
  EXPECT_EQ(must(log->append("45")), 2u);
  auto update = must(root_->open("f", OpenMode::update));
  OneFault two(SimCallKind::write_at, {Kind::short_write, 0, 2});
  disk_.set_observer(&two);
  EXPECT_EQ(update->write_at(0, "abcd").error().os_error, ENOSPC);
  disk_.set_observer(nullptr);
  EXPECT_EQ(picture(disk_), "/f=ab345");
}

TEST_F(SimFaultTest, KillStopsBeforeOrInsideTheCall) {
  const auto run = [](Injection injection, SimCallKind kind) {
    SimFileSystem disk;
    OneFault fault(kind, injection);
    disk.set_observer(&fault);
    auto root = must(disk.open_directory("/", false));
    auto log = must(root->open("f", OpenMode::create_append));
    const bool written = log->append("abcd").has_value();
    const bool renamed = root->rename("f", "g").has_value();
    EXPECT_FALSE(renamed);
    EXPECT_EQ(written, kind == SimCallKind::rename);
    EXPECT_EQ(log->append("z").error().message, "process was killed");
    return picture(disk);
  };
  EXPECT_EQ(run({Kind::kill_before, 0, Injection::kDefault}, SimCallKind::append), "/f=");
  EXPECT_EQ(run({Kind::kill_inside, 0, 3}, SimCallKind::append), "/f=abc");
  EXPECT_TRUE(run({Kind::kill_inside, 0, Injection::kDefault}, SimCallKind::append).starts_with("/f="));
  EXPECT_EQ(run({Kind::kill_before, 0, Injection::kDefault}, SimCallKind::rename), "/f=abcd");
  EXPECT_EQ(run({Kind::kill_inside, 0, Injection::kDefault}, SimCallKind::rename), "/g=abcd");
}

TEST_F(SimFaultTest, ObserversSeeEveryMutatingCall) {
  struct Recorder final : SimObserver {
    Injection before(const SimCall& call) override {
      EXPECT_EQ(call.index, begun++);
      return {};
    }
    void after(const SimCall& call) override { calls.push_back(call); }
    std::uint64_t begun = 0;
    std::vector<SimCall> calls;
  } recorder;
  disk_.set_observer(&recorder);
  auto dir = must(disk_.open_directory("/a", true));
  auto file = must(dir->open("f", OpenMode::create_append));
  append(*file, "abc");
  EXPECT_FALSE(dir->remove("none"));
  ASSERT_TRUE(must(file->try_lock(LockKind::shared)));
  must(dir->rename("f", "g"));
  ASSERT_EQ(recorder.calls.size(), 5u);
  EXPECT_EQ(recorder.calls[0].kind, SimCallKind::make_directory);
  EXPECT_EQ(recorder.calls[0].path, "/a");
  EXPECT_EQ(recorder.calls[1].kind, SimCallKind::sync_directory);
  EXPECT_EQ(recorder.calls[1].path, "/");
  EXPECT_EQ(recorder.calls[2].kind, SimCallKind::create);
  EXPECT_EQ(recorder.calls[3].bytes, 3u);
  EXPECT_EQ(recorder.calls[3].path, "/a/f");
  EXPECT_EQ(recorder.calls[4].to, "/a/g");
  EXPECT_EQ(recorder.begun, 6u);
  EXPECT_EQ(disk_.calls(), 6u);
}

TEST_F(SimFaultTest, FailedSyncLosesDataAndNextSyncSucceeds) {
  must(disk_.put_file("/f", "ab"));
  auto log = must(root_->open("f", OpenMode::append));
  append(*log, "cd");
  fail_once(SimCallKind::sync, EIO, [&] { return log->sync(); });
  for (const CrashModel model : kAllModels) {
    for (const std::string& state : outcomes(disk_, model)) {
      EXPECT_TRUE(States({"/f=ab", "/f=ab0", "/f=ab00"}).contains(state)) << state;
    }
  }
  must(log->sync());
  must(must(root_->open("f", OpenMode::read))->sync());
  EXPECT_EQ(must(disk_.read_file("/f")), "abcd");  // visible in the page cache
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=ab00"});

  // Touching the page again writes all of it to the medium.
  append(*log, "e");
  must(log->sync());
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=abcde"});
}

TEST_F(SimFaultTest, OnlyTouchedPagesAreWrittenAgain) {
  const std::string page(kSimPage, 'x');
  auto file = must(root_->open("f", OpenMode::create_update));
  must(root_->sync_directory(""));
  must(file->write_at(0, page + page + page));
  fail_once(SimCallKind::sync, EIO, [&] { return file->sync(); });
  must(file->write_at(kSimPage + 7, "y"));
  must(file->sync());
  std::string middle = page;
  middle[7] = 'y';
  const std::string nul(kSimPage, '\0');
  for (const CrashModel model : kAllModels) {
    Chooser chooser = Chooser::exhaustive();
    EXPECT_EQ(must(disk_.crash(model, chooser)->read_file("/f")), nul + middle + nul);
    EXPECT_FALSE(chooser.next());
  }
  // Only a new file with the same bytes helps.
  auto fresh = must(root_->open("tmp", OpenMode::create_update));
  must(fresh->write_at(0, must(disk_.read_file("/f"))));
  must(fresh->sync());
  must(root_->rename("tmp", "f"));
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) {
    Chooser chooser = Chooser::exhaustive();
    EXPECT_TRUE(disk_.crash(model, chooser)->same_tree(disk_));
    EXPECT_FALSE(chooser.next());
  }
}

TEST_F(SimFaultTest, EarlierSyncedDataSurvivesLaterFailure) {
  auto log = must(root_->open("f", OpenMode::create_append));
  must(root_->sync_directory(""));
  append(*log, "ab");
  must(log->sync());
  append(*log, "cd");
  fail_once(SimCallKind::sync, ENOSPC, [&] { return log->sync(); });
  for (const CrashModel model : kAllModels) {
    for (const std::string& state : outcomes(disk_, model)) EXPECT_TRUE(state.starts_with("/f=ab"));
  }
  must(log->truncate(2));
  append(*log, "ef");
  must(log->sync());
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=abef"});
}

TEST_F(SimFaultTest, FailedDirectorySyncLosesNames) {
  auto file = must(root_->open("f", OpenMode::create_append));
  append(*file, "x");
  fail_once(SimCallKind::sync_directory, EIO, [&] { return root_->sync_directory(""); });
  must(root_->sync_directory(""));
  must(file->sync());
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{""});
  EXPECT_EQ(picture(disk_), "/f=x");
  must(root_->rename("f", "g"));  // a new operation on the name
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/g=x"});
}

TEST_F(SimFaultTest, LostRenameIsRepairedByTheNextOne) {
  must(disk_.put_file("/a", "x"));
  must(root_->rename("a", "b"));
  fail_once(SimCallKind::sync_directory, EIO, [&] { return root_->sync_directory(""); });
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/a=x"});
  must(root_->rename("b", "c"));
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/c=x"});
}

TEST_F(SimFaultTest, InterruptedSyncIsHarmless) {
  auto file = must(root_->open("f", OpenMode::create_append));
  append(*file, "x");
  fail_once(SimCallKind::sync, EINTR, [&] { return file->sync(); });
  fail_once(SimCallKind::sync_directory, EINTR, [&] { return root_->sync_directory(""); });
  must(file->sync());
  must(root_->sync_directory(""));
  for (const CrashModel model : kAllModels) EXPECT_EQ(outcomes(disk_, model), States{"/f=x"});
}

}  // namespace
}  // namespace holdfast::inline v1
