// The tail of one of our logs when it is opened.
#include <holdfast/append_log.h>

#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(LogTail, RecordWithDamagedNewlineIsKept) {
  for (const char wrong : {'*', 'J', '\x0b', '\x8a'}) {
    SimStore store;
    must(store.disk.put_file("/s/log", std::string("{\"n\":1}\n{\"n\":2}") + wrong));
    const auto log = must(AppendLog::open({}, store.root, "log", quiet()));
    must(log->append({}, R"({"n":3})"));
    EXPECT_EQ(records(store.root->directory(), "log"), (Lines{R"({"n":1})", R"({"n":2})", R"({"n":3})"})) << int{wrong};
    EXPECT_EQ(log->findings().size(), 1U);
  }
}

TEST(LogTail, FragmentIsMovedAside) {
  SimStore store;
  must(store.disk.put_file("/s/log", "{\"n\":1}\n{\"n\":{\"m\":2}"));
  const auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n");
  ASSERT_EQ(log->findings().size(), 1U);
  EXPECT_EQ(store.bytes(log->findings()[0].moved_to), "{\"n\":{\"m\":2}");
}

// A full disk accepts the name of a copy but not its bytes, at every attempt.
TEST(LogTail, FailedCopyLeavesQuarantineEmpty) {
  SimStore store;
  const auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  must(log->append({}, R"({"n":1})"));
  must(store.disk.foreign_append("/s/log", "{\"n\":{\"m\":2}"));
  must(store.root->ensure_directory(store.root->side("corrupt")));
  store.disk.set_capacity(0, 1000);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(log->append({}, R"({"n":3})").error().code, Code::disk_full);
    EXPECT_FALSE(AppendLog::open({}, store.again(), "log", quiet()));
  }
  EXPECT_TRUE(must(store.root->directory().list(store.root->side("corrupt"))).empty());
  store.disk.set_capacity(100'000, 1000);
  must(log->append({}, R"({"n":3})"));
  EXPECT_EQ(must(store.root->directory().list(store.root->side("corrupt"))).size(), 1U);
  EXPECT_EQ(records(store.root->directory(), "log"), (Lines{R"({"n":1})", R"({"n":3})"}));
}

}  // namespace
}  // namespace holdfast::inline v1
