// A system without a thread for interval syncs: they are done at once.
#include <gtest/gtest.h>
#include <holdfast/append_log.h>

#include "base/thread_limit_testing.h"
#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

// It was written, but answered with an error: a caller that tried again had it twice.
TEST(AppendLog, ProcessRecordsAreSyncedAtOnceWithoutThreads) {
  SimFileSystem disk;
  must(disk.put_file("/s/keep", ""));
  auto root = must(Root::open({}, disk, "/s"));
  auto log = must(AppendLog::open({}, root, "log"));
  const ScopedThreadLimit none(0);
  must(log->append({}, R"({"n":1})", Durability::process));
  must(log->append({}, R"({"n":2})", Durability::process));
  must(log->append({}, R"({"n":3})", Durability::none));
  auto nothing = Chooser::random(1, 0);
  // Nobody would sync them later, so they are synced before they are acknowledged.
  EXPECT_EQ(disk.crash(CrashModel::weak, nothing)->read_file("/s/log").value(), "{\"n\":1}\n{\"n\":2}\n");
  must(log->close({}));
  EXPECT_EQ(disk.read_file("/s/log").value(), "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
}

}  // namespace
}  // namespace holdfast::inline v1
