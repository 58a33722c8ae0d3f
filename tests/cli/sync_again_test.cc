// A remote that is removed here and added again: what was published before does not stay there unnoticed.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncReaddedRemote : TwoMachines {
  const std::string other = "dddddddd-0000-4000-8000-000000000002";

  // Adds a session on machine a, of a project without a repository.
  void SetUp() override {
    TwoMachines::SetUp();
    fs::create_directories(home + "/a/notes");
    put(home + "/a/.claude/projects/-notes/" + other + ".jsonl",
        R"({"type":"user","uuid":"n0","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
            R"(/a/notes","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":")" + secret + "\"}}\n");
  }
  void publish_and_remove(const std::string& policy = "full") {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    EXPECT_FALSE(out.contains("published there earlier")) << out;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "remote share notes --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(is_there(secret));
    ASSERT_EQ(on("a", "remote remove nas --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains("what this machine published stays readable there unless --erase is given")) << out;
    const std::string aside = home + "/a/.local/share/holdfast/sync/removed";
    ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
    EXPECT_FALSE(fs::is_empty(aside)) << "what it wrote there is remembered";
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    EXPECT_TRUE(fs::is_empty(aside));
    EXPECT_TRUE(
        out.contains("erases what this machine published there earlier from projects that are not shared again"))
        << out;
  }
  void forget_while_removed(const std::string& policy) {
    publish_and_remove(policy);
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "remote share notes --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "forget dddddddd --yes"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(is_there(secret));
    EXPECT_TRUE(is_there("and now count them"));
  }
};

// An epoch that others have read is never written a second time.
TEST_F(SyncReaddedRemote, SessionsPublishedAfterErasureAreRead) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  EXPECT_FALSE(out.contains("published there earlier")) << out;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  std::vector<std::string> prompts = {"please list the files", "and now count them"};
  for (const std::string prompt : {"the first after it", "the second after it"}) {
    prompts.push_back(prompt);
    record(prompts);
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_FALSE(err.contains("someone")) << err;
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains(prompt)) << out;
  }
}

TEST_F(SyncReaddedRemote, DryRunSaysWhatWouldBeErased) {
  share_from_a();
  ASSERT_EQ(on("a", "remote share notes --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("withdraw") || out.contains("erase")) << out;
  ASSERT_EQ(on("a", "forget --match \"count them\" --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(", and erase forgotten text from 1 session")) << out;
  ASSERT_EQ(on("a", "forget dddddddd --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains(", withdraw 1 session that is forgotten or no longer shared in this form, and erase"))
      << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1, erased forgotten text from 1 session")) << out;
  for (const char* const project : {"src/thing", "notes"})
    ASSERT_EQ(on("a", std::string("remote unshare ") + project + " --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("send nothing, and withdraw 1 session that is forgotten or no longer shared in this form"))
      << out;
}

// The copy in the epoch that is gone is no longer chosen, although nothing of it is here.
TEST_F(SyncReaddedRemote, ListedSessionIsReadAfterErasure) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop, not here] please list the files") && !out.contains("branches")) << out;
  ASSERT_EQ(on("b", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("laptop  1 session, 0 here")) << out;
  ASSERT_EQ(on("b", "machine list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"machine":"laptop","sessions":1,"here":0,)")) << out;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop] please list the files")) << out;
  ASSERT_EQ(on("b", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("laptop  1 session, 1 here")) << out;
}

TEST_F(SyncReaddedRemote, ListedSessionIsReadAfterRemoteWasEmptied) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  fs::remove_all(home + "/share/streams");
  fs::remove_all(home + "/share/chunks");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(
      err.contains("the remote was emptied, or restored from a backup; epoch 2 follows epoch 1 and everything "
                   "that is shared is published again"))
      << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 2 follows epoch 1") && !err.contains("published again"))
      << "it shares nothing: " << err;
  EXPECT_FALSE(out.contains("does not have all of")) << out;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop] please list the files")) << out;
}

// What was forgotten since is gone everywhere, and the rest of the session can be read.
TEST_F(SyncReaddedRemote, ListedSessionIsReadAfterRemoteWasRestored) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  fs::copy(home + "/share", home + "/backup", fs::copy_options::recursive);
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  fs::remove_all(home + "/share");
  fs::rename(home + "/backup", home + "/share");
  ASSERT_EQ(on("a", "forget --match \"one more thing\" --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_FALSE(out.contains("does not have all of")) << out;
  ASSERT_EQ(on("b", "ls --machine all"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop] please list the files")) << out;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them") && !out.contains("one more thing")) << out;
}

TEST_F(SyncReaddedRemote, ProjectsNotSharedAgainAreErased) {
  publish_and_remove();
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(err.contains("backup")) << "nothing was restored: " << err;
  EXPECT_TRUE(out.contains("sent 1 session (") && out.contains("withdrew 1")) << out;
  EXPECT_FALSE(is_there(secret));
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_TRUE(out.contains("received 1 session, fetched 1 (")) << "one, in two epochs: " << out;
  ASSERT_EQ(on("b", "ls --machine laptop --json"), 0) << err;
  EXPECT_TRUE(out.contains(id) && !out.contains(other)) << out;
  EXPECT_EQ(on("b", "show dddddddd --machine laptop"), 3) << out;
  EXPECT_TRUE(err.contains("there is no session dddddddd of laptop") && !err.contains("stores")) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and now count them")) << out;
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("withdrawn":0,)")) << "once: " << out;
}

TEST_F(SyncReaddedRemote, EverythingIsErasedUntilSharedAgain) {
  publish_and_remove();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(is_there(secret) || is_there("and now count them"));
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share/chunks"))
    EXPECT_FALSE(entry.is_regular_file()) << entry.path();
}

// Even if the current epoch never contained it.
TEST_F(SyncReaddedRemote, ForgottenSessionIsErased) { forget_while_removed("full"); }
TEST_F(SyncReaddedRemote, ForgottenRedactedSessionIsErased) { forget_while_removed("redacted"); }

TEST_F(SyncReaddedRemote, UnshareAndForgetEraseBothEpochs) {
  publish_and_remove();
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "remote share notes --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(is_there(secret));
  ASSERT_EQ(on("a", "forget cccccccc --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare notes --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(is_there(secret) || is_there("and now count them"));
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  EXPECT_EQ(on("b", "ls --machine all"), 1) << out;
}

// A device that returns with an older phrase learns what it cannot erase because of that, and how it can.
TEST_F(SyncReaddedRemote, ErasingEpochUnderLaterKeyNeedsNewestPhrase) {
  share_from_a("--encrypt");
  ASSERT_EQ(sh("cd $HOME/b && echo " + phrase + " | env HOME=$HOME/b $H remote add nas dir:" + home +
               "/share --as tower --recover -"),
            0)
      << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote revoke nas tower --json"), 0) << err;
  const std::string newest = field({"recovery_phrase"});
  ASSERT_EQ(on("a", "remote share notes --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  const auto again = [&](const std::string& with) {
    ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
    ASSERT_EQ(sh("cd $HOME/a && echo " + with + " | env HOME=$HOME/a $H remote add nas dir:" + home +
                 "/share --as laptop --recover -"),
              0)
        << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
  };
  again(phrase);
  EXPECT_TRUE(
      err.contains("nothing is erased there: a segment needs a key that this device was not given; remove the "
                   "remote and add it again with its newest recovery phrase"))
      << err;
  again(newest);
  EXPECT_FALSE(err.contains("nothing is erased there")) << err;
  EXPECT_TRUE(out.contains("withdrew 2")) << out;
  // Later keys for others are there too, but nothing that sessions consist of.
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(out.contains("withdrew")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
