#include "handoff/atomic_file_creator.h"

#include <cerrno>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

Result<void> make(FileSystem& files, Directory& directory, std::string_view bytes) {
  HOLDFAST_LET(out, AtomicFileCreator::begin(files, directory, "a/b/new.jsonl"));
  HOLDFAST_TRY(out.write(bytes.substr(0, 3)));
  HOLDFAST_TRY(out.write(bytes.substr(3)));
  return out.finish();
}

// Cuts the power before every step: the file must be whole or missing.
class PowerFails final : public SimObserver {
 public:
  explicit PowerFails(SimFileSystem& disk) : disk_(disk) {}
  Injection before(const SimCall&) override {
    for (const CrashModel model : kAllModels) {
      Chooser chooser(500, 50, 1);
      do {
        const auto after = disk_.crash(model, chooser);
        ++states;
        EXPECT_EQ(after->read_file("/s/other").value_or(""), "theirs");
        if (!after->exists("/s/a/b/new.jsonl")) continue;
        EXPECT_EQ(after->read_file("/s/a/b/new.jsonl").value_or(""), "line 1\nline 2\n");
      } while (chooser.next());
    }
    return {};
  }
  int states = 0;

 private:
  SimFileSystem& disk_;
};

TEST(AtomicFileCreator, PowerLossLeavesCompleteFileOrNone) {
  SimFileSystem disk;
  must(disk.put_file("/s/other", "theirs"));
  const auto directory = must(disk.open_directory("/s", false));
  PowerFails observer(disk);
  disk.set_observer(&observer);
  must(make(disk, *directory, "line 1\nline 2\n"));
  disk.set_observer(nullptr);
  EXPECT_GT(observer.states, 20);
  EXPECT_EQ(picture(disk), "/s/ /s/a/ /s/a/b/ /s/a/b/new.jsonl=line 1\nline 2\n /s/other=theirs");
  for (const CrashModel model : kAllModels) {
    for (const std::string& state : outcomes(disk, model))
      EXPECT_TRUE(state.contains("/s/a/b/new.jsonl=line 1\nline 2\n")) << state;
  }
}

TEST(AtomicFileCreator, RefusesExistingFilesAndUnsafePaths) {
  SimFileSystem disk;
  must(disk.put_file("/s/a/b/new.jsonl", "theirs"));
  const auto directory = must(disk.open_directory("/s", false));
  EXPECT_EQ(make(disk, *directory, "line 1\n").error().code, Code::already_exists);
  EXPECT_EQ(picture(disk), "/s/ /s/a/ /s/a/b/ /s/a/b/new.jsonl=theirs");
  EXPECT_FALSE(AtomicFileCreator::begin(disk, *directory, "../out"));
  EXPECT_FALSE(AtomicFileCreator::begin(disk, *directory, "/etc/passwd"));
}

// The sync of the file fails, or the one of its folder.
TEST(AtomicFileCreator, FailedSyncLeavesNothing) {
  for (const SimCallKind kind : {SimCallKind::sync, SimCallKind::sync_directory}) {
    SimFileSystem disk;
    must(disk.put_file("/s/a/b/other", "theirs"));
    const auto directory = must(disk.open_directory("/s", false));
    OneFault fault(kind, {Injection::Kind::fail, EIO});
    disk.set_observer(&fault);
    const auto made = make(disk, *directory, "line 1\n");
    disk.set_observer(nullptr);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().os_error, EIO);
    EXPECT_EQ(picture(disk), "/s/ /s/a/ /s/a/b/ /s/a/b/other=theirs");
  }
}

// Somebody creates the file while ours is being written: theirs stays.
TEST(AtomicFileCreator, FileCreatedMeanwhileIsNotReplaced) {
  SimFileSystem disk;
  must(disk.put_file("/s/x", ""));
  const auto directory = must(disk.open_directory("/s", false));
  auto out = must(AtomicFileCreator::begin(disk, *directory, "new"));
  must(out.write("ours"));
  must(disk.put_file("/s/new", "theirs"));
  EXPECT_EQ(out.finish().error().code, Code::already_exists);
  EXPECT_EQ(must(disk.read_file("/s/new")), "theirs");
}

}  // namespace
}  // namespace holdfast::inline v1
