// A folder without space: it can still be read, and what could not be written is said.
#include "store/small_disk_testing.h"
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SyncFullFolder : TwoMachines {
  void fill() { (void)sh("head -c 10M /dev/zero > $HOME/share/filler"); }
  void make_space() { ASSERT_EQ(sh("rm $HOME/share/filler"), 0) << err; }
};

TEST_F(SyncFullFolder, ReceivesAndSaysWhatItCannotWrite) {
  const SmallDisk disk(home + "/share");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  fill();
  // It has nothing to say but what it has read.
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << out << err;
  EXPECT_TRUE(out.contains("received 1 session, fetched 1")) << out;
  EXPECT_TRUE(err.contains("the remote is full, so other machines do not learn yet what this one has read")) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  make_space();
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  fill();
  put(home + "/b/.claude/projects/-copy/dddddddd-0000-4000-8000-000000000002.jsonl",
      R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":"s","cwd":")" + home +
          R"(/b/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"on b"}})" + "\n");
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  EXPECT_EQ(on("b", "sync --fetch all"), 7) << out << err;
  const std::size_t received = out.find("received 1 session, fetched 1"),
                    failed = out.find("failed: the remote is full");
  EXPECT_TRUE(received != out.npos && failed != out.npos && received < failed) << out << err;
  // What is to be erased there is replaced first.
  ASSERT_EQ(on("a", "forget --match \"count them\" --yes"), 0) << err;
  EXPECT_EQ(on("a", "sync"), 7) << out;
  EXPECT_TRUE(err.contains("what is forgotten or no longer shared stays there until there is space")) << err;
  EXPECT_FALSE(out.contains("erased")) << out;
  EXPECT_TRUE(is_there("count them"));
  make_space();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("erased forgotten text from 1 session")) << out;
  EXPECT_FALSE(is_there("count them"));
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  EXPECT_EQ(err, "");
}

}  // namespace
}  // namespace holdfast::inline v1
