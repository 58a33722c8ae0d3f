// Records accepted in memory (`none`): how long they are kept until a sync succeeds.
#include <gtest/gtest.h>
#include <holdfast/append_log.h>

#include <cerrno>

#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

// Longer than a string's inline buffer: the copy used to read freed memory.
TEST(AppendLog, BufferedRecordsSurviveFailedSync) {
  SimFileSystem disk;
  must(disk.put_file("/s/keep", ""));
  auto root = must(Root::open({}, disk, "/s"));
  LogOptions options;
  options.sync_interval = {};
  auto log = must(AppendLog::open({}, root, "log", options));
  std::string expected;
  for (const char letter : {'a', 'b', 'c'}) {
    const std::string record = "{\"text\":\"" + std::string(5000, letter) + "\"}";
    must(log->append({}, record, Durability::none));
    expected += record + "\n";
  }
  OneFault fault(SimCallKind::sync, {Injection::Kind::fail, EIO});
  disk.set_observer(&fault);
  EXPECT_FALSE(log->sync({}));
  disk.set_observer(nullptr);
  // Mends the log from the copies.
  must(log->append({}, R"({"n":4})"));
  auto nothing = Chooser::random(1, 0);
  EXPECT_EQ(disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), expected + "{\"n\":4}\n");
}

// The first two records fit, the third does not.
TEST(AppendLog, ShortWriteDoesNotDuplicateBufferedRecords) {
  for (const LogMode mode : {LogMode::ours, LogMode::shared}) {
    SimFileSystem disk;
    must(disk.put_file("/s/keep", ""));
    auto root = must(Root::open({}, disk, "/s"));
    LogOptions options;
    options.mode = mode;
    options.sync_interval = {};
    options.checksums = false;
    auto log = must(AppendLog::open({}, root, "log", options));
    for (const char* record : {R"({"n":1})", R"({"n":2})", R"({"n":3})"})
      must(log->append({}, record, Durability::none));
    struct Full final : SimObserver {
      Injection before(const SimCall& call) override {
        if (call.kind != SimCallKind::append) return {};
        ++calls;
        return calls == 1 ? Injection{Injection::Kind::short_write, ENOSPC, 18}
                          : Injection{Injection::Kind::fail, ENOSPC};
      }
      int calls = 0;
    } full;
    disk.set_observer(&full);
    EXPECT_EQ(log->sync({}).error().code, Code::disk_full);
    disk.set_observer(nullptr);
    must(log->append({}, R"({"n":4})"));
    EXPECT_EQ(records(root->directory(), "log"), (Lines{R"({"n":1})", R"({"n":2})", R"({"n":3})", R"({"n":4})"}));
    auto nothing = Chooser::random(1, 0);
    const auto booted = disk.crash(CrashModel::weak, nothing);
    EXPECT_EQ(records(*must(booted->open_directory("/s", false)), "log").size(), 4U);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
