#include <gtest/gtest.h>

#include "layout/memory_feed_testing.h"

namespace holdfast {
namespace {

TEST(MemoryFeed, ListsDirectChildrenInByteOrder) {
  MemoryFeed feed("home", {{"a/b/c.json", "{}"}, {"a/x", ""}, {"ab/y", ""}});
  const auto top = feed.list({"home", ""});
  ASSERT_TRUE(top);
  ASSERT_EQ(top->size(), 2u);
  EXPECT_EQ((*top)[0].name, "a");
  EXPECT_TRUE((*top)[0].directory);
  EXPECT_EQ((*top)[1].name, "ab");
  EXPECT_TRUE((*top)[1].directory);
  const auto inside = feed.list({"home", "a"});
  ASSERT_EQ(inside->size(), 2u);
  EXPECT_EQ((*inside)[0].name, "b");
  EXPECT_TRUE((*inside)[0].directory);
  EXPECT_EQ((*inside)[1].name, "x");
  EXPECT_FALSE((*inside)[1].directory);
  EXPECT_TRUE(feed.list({"home", "missing"})->empty());
  EXPECT_TRUE(feed.list({"other", ""})->empty());
}

TEST(MemoryFeed, RecordsSkipDamagedAndUnfinishedLines) {
  MemoryFeed feed("home", {{"log", "{\"a\":1}\n{torn\n\n{\"a\":2}\n{\"a\":3}"}});
  std::vector<std::uint64_t> offsets;
  ASSERT_TRUE(feed.records({"home", "log"}, {}, [&](const FeedRecord& record) {
    offsets.push_back(record.offset);
    return true;
  }));
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 15}));
  EXPECT_EQ(feed.damaged, 1u);
  std::vector<std::string> last;
  const auto reached = feed.last_records({"home", "log"}, 1, UINT64_MAX, [&](const FeedRecord& record) {
    last.emplace_back(record.bytes);
    return true;
  });
  EXPECT_EQ(last, (std::vector<std::string>{"{\"a\":2}"}));
  EXPECT_FALSE(*reached);
}

TEST(MemoryFeed, MissingFilesAreNotErrors) {
  MemoryFeed feed;
  EXPECT_FALSE(*feed.document({"home", "x"}, 10));
  EXPECT_FALSE(*feed.stat({"home", "x"}));
  EXPECT_TRUE(feed.records({"home", "x"}, {}, [](const FeedRecord&) { return true; }));
  EXPECT_TRUE(feed.rows({"home", "x"}, "SELECT 1", {}, [](std::span<const FeedValue>) { return true; }));
}

}  // namespace
}  // namespace holdfast
