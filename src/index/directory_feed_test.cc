#include "index/directory_feed.h"

#include <gtest/gtest.h>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

// Readers see what could not be written yet (decision 15).
TEST(DirectoryFeed, ReadsUnwrittenFilesFromOverlay) {
  SimFileSystem disk;
  must(disk.put_file("/store/there", "on disk"));
  const auto directory = must(disk.open_directory("/store", false));
  const RootDirectories roots{{"", directory.get()}};
  const Context context;
  DirectoryFeed feed(context, roots);
  EXPECT_EQ(must(feed.plain_document({"", "there"}, 100, {})), "on disk");
  EXPECT_EQ(must(feed.plain_document({"", "new"}, 100, {})), std::nullopt);
  auto kept = std::make_shared<UnwrittenFiles>();
  (*kept)[{"", "new"}] = UnwrittenFile{.bytes = "in memory", .base = Revision(kAbsent)};
  feed.overlay_files(kept);
  EXPECT_EQ(must(feed.plain_document({"", "new"}, 100, {})), "in memory");
  EXPECT_EQ(must(feed.plain_document({"", "there"}, 100, {})), "on disk");
}

}  // namespace
}  // namespace holdfast::inline v1
