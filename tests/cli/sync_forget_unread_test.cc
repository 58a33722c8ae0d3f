// Forgetting while something cannot be searched: a remote that cannot be reached, an archive that lacks lines. Nothing
// is called forgotten that was not looked for, and what was fetched to look into does not stay.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncForgetUnread : TwoMachines {
  const std::string text = "UNREAD77";
  const std::string other = "dddddddd-0000-4000-8000-000000000002";
  const std::string remote = "/.local/share/holdfast/sync/remotes/nas";

  void record_other(const std::string& on, const std::string& prompt) {
    put(home + "/" + on + "/.claude/projects/-thing/" + other + ".jsonl",
        R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
            R"(/a/src/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" + prompt +
            "\"}}\n");
  }
  // Only the remote has the session with the text.
  void publish_and_restore() {
    share_from_a();
    ASSERT_EQ(sh("cp -a $HOME/a $HOME/backup"), 0) << err;
    record_other("a", "say " + text);
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(is_there(text));
    ASSERT_EQ(sh("rm -rf $HOME/a && mv $HOME/backup $HOME/a"), 0) << err;
  }
  void expect(int code, const std::string& command, const std::string& words) {
    EXPECT_EQ(on("a", command), code) << command << out << err;
    EXPECT_TRUE((out + err).contains(words)) << command << out << err;
  }
};

TEST_F(SyncForgetUnread, UnreachableRemoteIsUnreadData) {
  publish_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  ASSERT_EQ(sh("mv $HOME/share $HOME/away"), 0) << err;
  const std::string words = "nas: what this machine published there and no longer has was not searched: ";
  for (const std::string how : {" --dry-run", " --yes"}) {
    expect(4, "forget --match " + text + how, words);
    expect(4, "forget dddddddd" + how, words);
    EXPECT_TRUE(err.contains("no session")) << err;
    // Here it is found, there it was not looked for.
    expect(4, "forget --match 'list the files'" + how, words);
  }
  ASSERT_EQ(sh("mv $HOME/away $HOME/share"), 0) << err;
  expect(0, "forget --match " + text + " --dry-run", "claude-code/" + other);
  expect(0, "forget dddddddd --yes", "claude-code/" + other + " at nas, until the next holdfast sync");
}

// What a remote has does not settle what is ambiguous here.
TEST_F(SyncForgetUnread, AmbiguousIdIsNotLookedUpAtRemotes) {
  publish_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  for (const std::string last : {"3", "4"})
    put(home + "/a/.claude/projects/-other/dddddddd-0000-4000-8000-00000000000" + last + ".jsonl",
        R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":"dddddddd-0000-4000-8000-00000000000)" + last +
            R"(","cwd":"/w","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"a"}})"
            "\n");
  expect(3, "forget dddddddd --yes", "ambiguous");
  EXPECT_FALSE(out.contains("at nas")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(is_there(text));
  expect(0, "forget " + other + " --yes", "at nas, until the next holdfast sync");
}

// Before the first sync of the restored home, nobody knows that the remote has more.
TEST_F(SyncForgetUnread, RemoteThatCannotBeAskedIsNamed) {
  publish_and_restore();
  ASSERT_EQ(sh("mv $HOME/share $HOME/away"), 0) << err;
  const std::string words = "nas: it could not be asked what it has of this machine";
  for (const std::string how : {" --dry-run", " --yes"}) {
    expect(1, "forget --match " + text + how, words);
    expect(3, "forget dddddddd" + how, words);
    expect(0, "forget --match 'list the files'" + how, words);
  }
}

TEST_F(SyncForgetUnread, WhatWasFetchedIsRemovedByTheNextCommand) {
  publish_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const std::string scratch = "a" + remote + "/read-back";
  const auto leave = [&] { put(home + "/" + scratch + "/from/x/1/packs/000001.zst", "say " + text); };
  leave();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/" + scratch));
  leave();
  ASSERT_EQ(sh("mv $HOME/share $HOME/away"), 0) << err;
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 4) << out;
  EXPECT_FALSE(fs::exists(home + "/" + scratch));
  leave();
  EXPECT_NE(on("a", "sync"), 0) << out;
  EXPECT_FALSE(fs::exists(home + "/" + scratch));
}

// The remote fails while it is read.
TEST_F(SyncForgetUnread, WhatWasFetchedIsRemovedAlthoughTheRemoteFails) {
  publish_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(sh("rm -r $HOME/share/chunks/* && touch $HOME/share/chunks/$(ls $HOME/share/streams)"), 0) << err;
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 4) << out << err;
  EXPECT_FALSE(fs::exists(home + "/a" + remote + "/read-back"));
}

// What came from other machines is not removed by a command that then fails.
TEST_F(SyncForgetUnread, LostLinesAreFoundBeforeAnythingIsRemoved) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  record_other("b", "mine");
  ASSERT_EQ(on("b", "archive run"), 0) << err;
  ASSERT_EQ(sh("truncate -s 0 $HOME/b/.local/share/holdfast/archive/log.jsonl"), 0) << err;
  EXPECT_EQ(on("b", "forget --match 'list the files' --yes"), 4) << out;
  EXPECT_TRUE(err.contains("nothing was forgotten: lines are missing")) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("list the files")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
