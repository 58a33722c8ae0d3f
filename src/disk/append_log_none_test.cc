// Records accepted in memory (`none`): what is kept of them until a sync is good.
#include <gtest/gtest.h>
#include <holdfast/append_log.h>

#include <cerrno>

#include "disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

// Longer than what a string keeps in itself: the copy once read freed memory.
TEST(AppendLog, TheCopyOfRecordsAcceptedInMemoryIsTheirs) {
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
  // The log is mended from the copies.
  must(log->append({}, R"({"n":4})"));
  auto nothing = Chooser::random(1, 0);
  EXPECT_EQ(disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), expected + "{\"n\":4}\n");
}

}  // namespace
}  // namespace holdfast::inline v1
