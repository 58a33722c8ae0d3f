// A home that was restored from a backup, and a remote that has more of it than the backup: what is forgotten is erased
// there too, and what is damaged in the epoch before matters only if nothing replaces it.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncRestored : TwoMachines {
  const std::string text = "RESTORED88";
  const std::string other = "dddddddd-0000-4000-8000-000000000002";

  void SetUp() override {
    TwoMachines::SetUp();
    share_from_a();
    ASSERT_EQ(sh("cp -a $HOME/a $HOME/backup"), 0) << err;
  }
  void record_other() {
    put(home + "/a/.claude/projects/-thing/" + other + ".jsonl",
        R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
            R"(/a/src/thing","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"say )" + text +
            "\"}}\n");
  }
  void sync_and_restore() {
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_TRUE(is_there(text));
    ASSERT_EQ(sh("rm -rf $HOME/a && mv $HOME/backup $HOME/a"), 0) << err;
  }
  void expect_gone() {
    EXPECT_FALSE(is_there(text));
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
    EXPECT_TRUE(out.contains("and now count them") && !out.contains(text)) << out;
    ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 1) << out;
    EXPECT_FALSE(fs::exists(home + "/a/.local/share/holdfast/sync/remotes/nas/read-back"));
  }
};

// The lost line is only at the remote, in a session that the backup has without it.
TEST_F(SyncRestored, LineThatOnlyTheRemoteHasIsForgotten) {
  record({"please list the files", "and now count them", "the password is " + text});
  sync_and_restore();
  ASSERT_EQ(on("a", "forget --match " + text + " --dry-run"), 0) << out << err;
  EXPECT_TRUE(out.contains("withdraw what this machine published earlier of claude-code/" + id)) << out;
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << out << err;
  EXPECT_TRUE(out.contains("the next holdfast sync withdraws it")) << out;
  EXPECT_TRUE(out.contains("  claude-code/" + id + " at nas, until the next holdfast sync\n")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("erased forgotten text from 1 session")) << out;
  expect_gone();
}

TEST_F(SyncRestored, LineThatOnlyTheRemoteHasIsForgottenAfterSync) {
  record({"please list the files", "and now count them", "the password is " + text});
  sync_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  expect_gone();
}

// What was noted is kept although the remote is removed here.
TEST_F(SyncRestored, LineIsForgottenAlthoughTheRemoteIsAddedAgain) {
  record({"please list the files", "and now count them", "the password is " + text});
  sync_and_restore();
  ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  expect_gone();
}

// The session is not in the backup at all.
TEST_F(SyncRestored, SessionThatOnlyTheRemoteHasIsForgotten) {
  ASSERT_EQ(sh("cp -a $HOME/share $HOME/share-before"), 0) << err;
  for (const std::string& how : {"--match " + text, other, std::string("dddd")}) {
    for (const bool synced : {false, true}) {
      ASSERT_EQ(sh("cp -a $HOME/a $HOME/first && cp -a $HOME/backup $HOME/second"), 0) << err;
      record_other();
      sync_and_restore();
      if (synced) {
        ASSERT_EQ(on("a", "sync"), 0) << err;
      }
      ASSERT_EQ(on("a", "forget " + how + " --yes"), 0) << how << synced << out << err;
      EXPECT_TRUE(out.contains("claude-code/" + other + " at nas, until the next holdfast sync")) << out;
      ASSERT_EQ(on("a", "sync"), 0) << err;
      EXPECT_FALSE(is_there(text)) << how << synced;
      EXPECT_EQ(on("a", "forget " + how + " --yes"), how.starts_with("--match") ? 1 : 3) << how << synced << out;
      ASSERT_EQ(sh("rm -rf $HOME/a $HOME/share && mv $HOME/first $HOME/a && mv $HOME/second $HOME/backup && "
                   "cp -a $HOME/share-before $HOME/share"),
                0)
          << err;
    }
  }
}

TEST_F(SyncRestored, UnreachableRemoteIsNamed) {
  record({"please list the files", "and now count them", "the password is " + text});
  sync_and_restore();
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(sh("mv $HOME/share $HOME/away"), 0) << err;
  on("a", "forget --match " + text + " --yes");
  EXPECT_TRUE(out.contains("not everything could be read")) << out;
  EXPECT_TRUE((out + err).contains("what this machine published there and no longer has was not searched")) << err;
}

// The same backup twice: the home does not know the epoch in between.
TEST_F(SyncRestored, EpochThatNoBackupKnowsIsErased) {
  record({"please list the files", "and now count them", "and more"});
  ASSERT_EQ(sh("cp -a $HOME/backup $HOME/backup-2"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(sh("rm -rf $HOME/a && cp -a $HOME/backup $HOME/a"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  record_other();
  sync_and_restore();
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/first && cp -a $HOME/share $HOME/share-before"), 0) << err;
  for (const std::string& how :
       std::vector<std::string>{"forget --match " + text, "forget " + other, "remote unshare src/thing --with nas"}) {
    for (const bool synced : {false, true}) {
      if (synced) {
        ASSERT_EQ(on("a", "sync"), 0) << err;
        EXPECT_TRUE(err.contains("epoch 3 follows epoch 1")) << err;
        EXPECT_TRUE(
            err.contains("does not know what this device has published there in epoch 2; it stays until "
                         "something is unshared or forgotten here"))
            << err;
      }
      ASSERT_EQ(on("a", how + " --yes"), 0) << how << synced << out << err;
      ASSERT_EQ(on("a", "sync"), 0) << err;
      EXPECT_TRUE(out.contains("withdrew " + std::string(how.contains("unshare") ? "2" : "1"))) << how << out;
      EXPECT_FALSE(err.contains("it stays until")) << err;
      EXPECT_FALSE(is_there(text)) << how << synced;
      EXPECT_EQ(is_there("count them"), !how.contains("unshare")) << how << synced;
      ASSERT_EQ(on("a", "sync"), 0) << err;
      EXPECT_FALSE(out.contains("withdrew")) << "once: " << out;
      ASSERT_EQ(sh("rm -rf $HOME/a $HOME/share && cp -a $HOME/first $HOME/a && cp -a $HOME/share-before $HOME/share"),
                0)
          << err;
    }
  }
}

// The home has shared, and never synced, as far as it knows.
struct SyncRestoredBefore : TwoMachines {
  const std::string text = "RESTORED88";
  void SetUp() override {
    TwoMachines::SetUp();
    record({"please list the files", "the word is " + text});
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
    ASSERT_EQ(sh("cp -a $HOME/a $HOME/backup"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    restore();
  }
  void restore() { ASSERT_EQ(sh("rm -rf $HOME/a && cp -a $HOME/backup $HOME/a"), 0) << err; }
};

TEST_F(SyncRestoredBefore, EverythingIsErased) {
  ASSERT_EQ(sh("cp -a $HOME/share $HOME/share-before"), 0) << err;
  for (const std::string& how :
       std::vector<std::string>{"forget --match " + text, "forget " + id, "remote unshare src/thing --with nas",
                                "remote share src/thing --with nas --policy redacted"}) {
    for (const bool synced : {false, true}) {
      if (synced) {
        ASSERT_EQ(on("a", "sync"), 0) << err;
        ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
      }
      if (!how.starts_with("remote")) {
        ASSERT_EQ(on("a", "archive run"), 0) << err;
      }
      ASSERT_EQ(on("a", how + (how.starts_with("remote") ? "" : " --yes")), 0) << how << synced << out << err;
      ASSERT_EQ(on("a", "sync"), 0) << err;
      EXPECT_EQ(is_there(text), how.contains("redacted")) << how << synced;
      EXPECT_EQ(is_there(home), how.contains("match")) << "only lines are erased: " << how << synced;
      ASSERT_EQ(sh("rm -rf $HOME/share && cp -a $HOME/share-before $HOME/share"), 0) << err;
      restore();
    }
  }
}

// No run has created an archive since, and the agent has lost the session: the remote is asked all the same.
TEST_F(SyncRestoredBefore, HomeWithoutArchiveForgetsWhatOnlyTheRemoteHas) {
  ASSERT_EQ(sh("cp -a $HOME/share $HOME/share-before"), 0) << err;
  const std::string archive = home + "/a/.local/share/holdfast/archive";
  for (const std::string& what : std::vector<std::string>{"--match " + text, id}) {
    ASSERT_EQ(sh("rm -r $HOME/a/.claude"), 0) << err;
    ASSERT_FALSE(fs::exists(archive));
    ASSERT_EQ(on("a", "forget " + what + " --dry-run"), 0) << what << out << err;
    EXPECT_TRUE(out.contains("claude-code/" + id)) << out;
    EXPECT_FALSE(fs::exists(archive)) << what;
    ASSERT_EQ(on("a", "forget " + what + " --yes"), 0) << what << out << err;
    EXPECT_TRUE(out.contains("claude-code/" + id + " at nas, until the next holdfast sync")) << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(is_there(text)) << what;
    ASSERT_EQ(sh("rm -rf $HOME/share && cp -a $HOME/share-before $HOME/share"), 0) << err;
    restore();
  }
  ASSERT_EQ(sh("mv $HOME/share $HOME/away && rm -r $HOME/a/.claude"), 0) << err;
  EXPECT_EQ(on("a", "forget " + id + " --yes"), 3) << out;
  EXPECT_TRUE(err.contains("nas: it could not be asked what it has of this machine")) << err;
}

// Other machines have read epoch 1. They would take another one with that number for a forgery.
TEST_F(SyncRestoredBefore, ErasedEpochIsNotBegunAgain) {
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("a", "remote remove nas --erase --yes"), 0) << err;
  EXPECT_FALSE(is_there(text));
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  record({"please list the files", "the word is " + text, "and more"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(out.contains("received 1 session")) << out;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and more")) << out;
}

// Whoever may write to the folder can give anything the name of an epoch. Only what is signed is one.
TEST_F(SyncRestoredBefore, NumberOfAnEpochIsNotTakenFromAName) {
  const std::string device = fs::directory_iterator(home + "/share/streams")->path();
  for (const char* const epoch : {"999999999999999999", "2", "3"})
    put(device + "/" + epoch + "/0000000001.seg", "x\ny\n");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(err.contains("epoch 4 follows epoch 1")) << err;
  ASSERT_EQ(on("a", "remote remove nas --yes"), 0) << err;
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  ASSERT_EQ(on("a", "remote share src/thing --with nas"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("sent 0 sessions")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(on("a", "sync status --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("epoch":5)")) << out;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains(text)) << out;
}

// A chunk of the epoch before is lost. The present one has the whole session.
TEST_F(SyncRestored, DamageThatALaterEpochReplacesIsNotReported) {
  record({"please list the files", "and now count them", "the password is " + text});
  sync_and_restore();
  record({"please list the files", "and now count them", "the password is " + text, "and more"});
  std::set<std::string> before;
  for (const auto& entry : fs::recursive_directory_iterator(home + "/share/chunks"))
    if (entry.is_regular_file()) before.insert(entry.path());
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  for (const std::string& chunk : before) fs::remove(chunk);
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    EXPECT_FALSE((out + err).contains("does not have all")) << out << err;
  }
  ASSERT_EQ(on("b", "show cccccccc --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("and more")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
