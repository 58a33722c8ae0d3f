// The tail of a log of ours when it is opened.
#include <holdfast/append_log.h>

#include "disk/store_testing.h"

namespace holdfast::inline v1 {
namespace {

TEST(LogTail, ARecordWhoseNewlineWasHitStaysInTheLog) {
  for (const char wrong : {'*', 'J', '\x0b', '\x8a'}) {
    SimStore store;
    must(store.disk.put_file("/s/log", std::string("{\"n\":1}\n{\"n\":2}") + wrong));
    const auto log = must(AppendLog::open({}, store.root, "log", quiet()));
    must(log->append({}, R"({"n":3})"));
    EXPECT_EQ(records(store.root->directory(), "log"), (Lines{R"({"n":1})", R"({"n":2})", R"({"n":3})"})) << int{wrong};
    EXPECT_EQ(log->findings().size(), 1U);
  }
}

TEST(LogTail, AFragmentIsMovedAside) {
  SimStore store;
  must(store.disk.put_file("/s/log", "{\"n\":1}\n{\"n\":{\"m\":2}"));
  const auto log = must(AppendLog::open({}, store.root, "log", quiet()));
  EXPECT_EQ(store.bytes("log"), "{\"n\":1}\n");
  ASSERT_EQ(log->findings().size(), 1U);
  EXPECT_EQ(store.bytes(log->findings()[0].moved_to), "{\"n\":{\"m\":2}");
}

}  // namespace
}  // namespace holdfast::inline v1
