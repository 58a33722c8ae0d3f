// What people type and read about other machines: names without an id, hints that work as printed, counts.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

struct SyncWords : TwoMachines {
  void join_and_read(const std::string& how = "") {
    share_from_a();
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync " + how), 0) << err;
  }
  // A session of machine b itself, older than that of a.
  const std::string own = "dddddddd-0000-4000-8000-000000000001";
  void record_on_b() const {
    put(home + "/b/.claude/projects/-copy/" + own + ".jsonl",
        R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" + own + R"(","cwd":")" + home +
            R"(/b/src/copy","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"of my own"}})" +
            "\n");
  }
};

TEST_F(SyncWords, DefaultsToNewestSessionOfTheMachine) {
  record_on_b();
  join_and_read();
  // Not here yet: it is fetched as if it had been named.
  for (const char* const line : {"show --machine laptop", "show @last --machine laptop", "show @last --machine all"}) {
    ASSERT_EQ(on("b", line), 0) << line << err;
    EXPECT_TRUE(out.contains("and now count them")) << line << out;
  }
  ASSERT_EQ(on("b", "resume @last --machine laptop --in codex --print --yes", "/src/copy"), 0) << err;
  EXPECT_TRUE(out.contains("codex resume")) << out;
  EXPECT_EQ(on("b", "show @last --machine nobody"), 3) << out;
  EXPECT_TRUE(err.contains("there is no machine nobody; known machines: laptop")) << err;
}

TEST_F(SyncWords, MachineAllIncludesThisMachine) {
  record_on_b();
  join_and_read();
  ASSERT_EQ(on("b", "ls --machine all --json"), 0) << err;
  ASSERT_TRUE(out.contains(own) && out.contains(id)) << out;
  for (const std::string& one : {own, id}) {
    ASSERT_EQ(on("b", "show " + one + " --machine all"), 0) << err;
    EXPECT_TRUE(out.contains(one == own ? "of my own" : "and now count them")) << out;
  }
  EXPECT_EQ(on("b", "show eeeeeeee --machine all"), 3) << out;
}

TEST_F(SyncWords, HintsWorkAsPrinted) {
  join_and_read("--fetch all");
  EXPECT_TRUE(out.contains("new here: laptop; run holdfast ls --machine laptop to list its sessions")) << out;
  ASSERT_EQ(on("b", "search count --machine laptop"), 0) << err;
  EXPECT_TRUE(err.contains("open one with holdfast show ID --at N --machine laptop")) << err;
  ASSERT_EQ(on("b", "show cccccccc --at 2 --machine laptop"), 0) << err;
}

TEST_F(SyncWords, RejectsInvalidFetch) {
  join_and_read();
  for (const char* const wish : {"banana", "5x", "d"}) {
    EXPECT_EQ(on("b", std::string("sync --fetch ") + wish), 2) << wish << out;
    EXPECT_TRUE(err.contains("30d")) << err;
    EXPECT_EQ(on("b", std::string("sync --dry-run --fetch ") + wish), 2) << wish << out;
  }
  EXPECT_EQ(on("b", "sync --fetch no/such"), 3) << out;
  std::filesystem::create_directories(home + "/b/other");
  ASSERT_EQ(on("b", "sync --fetch other"), 0) << err;
  EXPECT_TRUE(err.contains("no other machine shares sessions of " + home + "/b/other")) << err;
  ASSERT_EQ(on("b", "sync --fetch src/copy"), 0) << err;
  EXPECT_TRUE(out.contains("fetched 1")) << out;
  EXPECT_EQ(err, "");
}

TEST_F(SyncWords, MissingRemoteHintGoesToStandardError) {
  for (const char* const line : {"remote list", "sync status"}) {
    EXPECT_EQ(on("a", line), std::string_view(line) == "remote list" ? 1 : 0) << err;
    EXPECT_EQ(out, "") << line;
    EXPECT_EQ(err, "no remotes; add one with holdfast remote add NAME dir:/path\n") << line;
  }
}

TEST_F(SyncWords, MachineWithTwoEpochsIsListedOnce) {
  join_and_read("--fetch all");
  // A home that was restored from a backup.
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/backup"), 0) << err;
  record({"please list the files", "and now count them", "one more thing"});
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(sh("rm -r $HOME/a && mv $HOME/backup $HOME/a"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_TRUE(err.contains("epoch 2 follows epoch 1")) << err;
  EXPECT_TRUE(err.contains("this home has 1 segment:")) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("  laptop  1 session, 1 here\n")) << out;
  EXPECT_EQ(out.find("laptop"), out.rfind("laptop")) << out;
  ASSERT_EQ(on("b", "machine list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop","sessions":1)")) << out;
}

TEST_F(SyncWords, RevokeNamesUntitledSessionsByProject) {
  join_and_read("--fetch all");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "forget --match count --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote revoke nas tower"), 0) << err;
  EXPECT_TRUE(out.contains("    cccccccc  (no title, in " + home + "/a/src/thing)\n")) << out;
}

// The full copy stays here, beside the redacted one.
TEST_F(SyncWords, NarrowedSessionIsCountedOnce) {
  join_and_read("--fetch all");
  ASSERT_EQ(on("a", "remote share src/thing --with nas --policy redacted"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("b", "sync status"), 0) << err;
  EXPECT_TRUE(out.contains("  laptop  1 session, 1 here\n")) << out;
  ASSERT_EQ(on("b", "machine list --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop","sessions":1)")) << out;
}

TEST_F(SyncWords, PairedMachineIsReportedAsPaired) {
  join_and_read("--fetch all");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "pair nas tower --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("paired":false)")) << out;
  ASSERT_EQ(on("a", "pair nas tower --code " + field({"code"})), 0) << err;
  ASSERT_EQ(on("a", "pair nas tower --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("paired":true)") && out.contains("is trusted as your own here")) << out;
}

TEST_F(SyncWords, DryRunKnowsWhetherThereIsAnythingNew) {
  share_from_a();
  ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("receive new data from nas")) << out;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "sync --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("receive nothing new from nas")) << out;
}

TEST_F(SyncWords, ForgettingSaysThatTheRemoteHasItUntilTheNextSync) {
  share_from_a();
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  EXPECT_TRUE(out.contains("  claude-code/" + id + " at nas, until the next holdfast sync\n")) << out;
}

// An address cannot decide that its server need not prove its identity.
TEST_F(SyncWords, AddressThatSwitchesOffTheProofIsRefused) {
  const std::string url = " 'postgres://me@192.0.2.1/holdfast?allow_insecure=true'";
  for (const std::string& line :
       {"remote add team" + url, "remote migrate" + url, "remote add team" + url + " --dry-run"}) {
    EXPECT_EQ(on("a", line), 2) << line << out;
    EXPECT_TRUE(err.contains("the address contains allow_insecure=true") && err.contains("--allow-insecure")) << err;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
