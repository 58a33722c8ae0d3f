#include "disk/log_file.h"

#include <gtest/gtest.h>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(LogFile, UnlockRunsDeferredWork) {
  SimFileSystem disk;
  must(disk.put_file("/s/keep", ""));
  const auto root = must(Root::open({}, disk, "/s"));
  LogFile log = must(LogFile::open({}, root, "log.jsonl", {}));
  must(log.lock({}));
  bool told = false;
  when_unlocked([&] { told = true; });
  EXPECT_FALSE(told);
  log.unlock();
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace holdfast::inline v1
