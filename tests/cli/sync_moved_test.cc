// A home on another machine: the system was installed again, the disk moved, or a container got another machine id.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncMoved : TwoMachines {
  const std::string text = "MOVEDSECRET77";
  void SetUp() override {
    TwoMachines::SetUp();
    put(home + "/machine-id", "00112233445566778899aabbccddeeff\n");
    if (!fs::exists("/etc/machine-id") || sh(on_another_machine() + "true") != 0)
      GTEST_SKIP() << "no other machine id can be mounted here: " << err;
    record({"please list the files", "the password is " + text});
    share_from_a();
    ASSERT_TRUE(is_there(text));
  }
  std::string on_another_machine() const {
    return "unshare -rm sh -c 'mount --bind " + home + "/machine-id /etc/machine-id && exec \"$@\"' - ";
  }
  // On the machine to which home a was moved.
  int moved(const std::string& line) {
    return sh("cd $HOME/a && " + on_another_machine() + "env HOME=$HOME/a " + paths::binary() + " " + line);
  }
};

TEST_F(SyncMoved, UnsharedProjectIsErased) {
  ASSERT_EQ(moved("remote unshare src/thing --with nas"), 0) << err;
  ASSERT_EQ(moved("sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  EXPECT_EQ(err, "");
  EXPECT_FALSE(is_there(text));
}

TEST_F(SyncMoved, ForgottenTextIsErased) {
  ASSERT_EQ(moved("forget --match " + text + " --yes"), 0) << err;
  EXPECT_FALSE(out.contains("still on laptop")) << out;
  ASSERT_EQ(moved("sync"), 0) << out << err;
  EXPECT_FALSE(is_there(text));
}

TEST_F(SyncMoved, EverythingIsErased) {
  ASSERT_EQ(moved("remote remove nas --erase --yes"), 0) << err;
  EXPECT_FALSE(is_there(text));
}

// A home on a network, or in two containers.
TEST_F(SyncMoved, HomeOfTwoMachinesIsOneDevice) {
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(moved("sync"), 0) << out << err;
    EXPECT_TRUE(out.contains("sent 0 sessions; received 0")) << out;
    EXPECT_EQ(err, "");
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(out.contains("sent 0 sessions; received 0")) << out;
    EXPECT_EQ(err, "");
  }
  record({"please list the files", "the password is " + text, "and more"});
  ASSERT_EQ(moved("sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  ASSERT_EQ(on("a", "sync status --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("epoch":1)") && out.contains(R"("published":1)")) << out;
}

// Who captured a session last says nothing about whose it is: a timer on one machine captures, and the other syncs.
TEST_F(SyncMoved, CaptureOnAnotherMachineWithdrawsNothing) {
  record({"please list the files", "the password is " + text, "and more"});
  ASSERT_EQ(sh("sleep 3"), 0);  // a file that changed just now would be captured again by the next sync
  ASSERT_EQ(moved("archive run"), 0) << out << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session (") && !out.contains("withdrew")) << out;
  EXPECT_EQ(err, "");
  EXPECT_TRUE(is_there(text) && is_there("and more"));
}

// The system was installed again, and nothing has changed since the archive was made.
TEST_F(SyncMoved, CapturedBeforeTheFirstSyncIsSent) {
  const std::string other = "dddddddd-0000-4000-8000-000000000002";
  put(home + "/b/.claude/projects/-copy/" + other + ".jsonl",
      R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
          R"(/b/src/copy","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"said long ago"}})"
          "\n");
  ASSERT_EQ(sh("sleep 3"), 0);
  ASSERT_EQ(sh("cd $HOME/b && " + on_another_machine() + "env HOME=$HOME/b " + paths::binary() + " archive run"), 0)
      << out << err;
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "remote share src/copy --with nas"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  EXPECT_TRUE(is_there("said long ago"));
}

// Older versions made a key for every machine. What was published with the earlier one is still this home's.
TEST_F(SyncMoved, EpochsOfAnEarlierKeyAreErased) {
  for (const std::string& how :
       std::vector<std::string>{"remote unshare src/thing --with nas", "forget --match " + text + " --yes",
                                "forget " + id + " --yes", "remote remove nas --erase --yes"}) {
    ASSERT_EQ(sh("cp -a $HOME/a $HOME/before && cp -a $HOME/share $HOME/share-before"), 0) << err;
    put(home + "/a/.local/share/holdfast/sync/devices/0123456789abcdef.json",
        R"({"device":"","secret":")" + std::string(64, '7') + R"(","since":"2999-01-01T00:00:00.000Z"})");
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(err.contains("this home published as device")) << err;
    ASSERT_EQ(on("a", how), 0) << out << err;
    if (!how.contains("--erase")) {
      ASSERT_EQ(on("a", "sync"), 0) << out << err;
    }
    EXPECT_FALSE(is_there(text)) << how;
    ASSERT_EQ(sh("rm -rf $HOME/a $HOME/share && mv $HOME/before $HOME/a && mv $HOME/share-before $HOME/share"), 0);
  }
}

// What it published with the earlier key is not another machine's, and stops being one if an older Holdfast thought so.
TEST_F(SyncMoved, EarlierKeyIsNoOtherMachine) {
  const std::string devices = home + "/a/.local/share/holdfast/sync/devices";
  ASSERT_EQ(sh("mv " + devices + " $HOME/first"), 0) << err;
  put(devices + "/0123456789abcdef.json",
      R"({"device":"","secret":")" + std::string(64, '7') + R"(","since":"2999-01-01T00:00:00.000Z"})");
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/without && cp -a $HOME/share $HOME/share-before"), 0) << err;
  for (const bool misread : {false, true}) {
    if (misread) {
      ASSERT_EQ(sh("rm -rf $HOME/a $HOME/share && mv $HOME/without $HOME/a && mv $HOME/share-before $HOME/share"), 0)
          << err;
      ASSERT_EQ(on("a", "sync --fetch all"), 0) << out << err;
      ASSERT_TRUE(out.contains("new here: laptop")) << out;
    }
    ASSERT_EQ(sh("cp $HOME/first/* " + devices), 0) << err;
    ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
    EXPECT_TRUE((out + err).contains("receive nothing new")) << out << err;
    ASSERT_EQ(on("a", "sync --fetch all"), 0) << out << err;
    EXPECT_FALSE(out.contains("new here") || err.contains("is called laptop too")) << out << err;
    EXPECT_TRUE(out.contains("received 0 sessions")) << out;
    EXPECT_EQ(on("a", "machine list"), 1) << out;
    ASSERT_EQ(on("a", "remote check nas --json"), 0) << out << err;
    EXPECT_FALSE(out.contains(R"("own":false)")) << out;
    ASSERT_EQ(on("a", "forget --match " + text + " --yes"), 0) << err;
    EXPECT_FALSE(out.contains("still on laptop")) << out;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_FALSE(is_there(text));
  }
}

}  // namespace
}  // namespace holdfast::inline v1
