// What the archive of a home has lost or pruned stays at the remote, and with other machines: only a person withdraws.
#include "tests/cli/two_machines_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct SyncLostHere : TwoMachines {
  const std::string archive = "$HOME/a/.local/share/holdfast/archive";

  // Only the archive, the remote and machine b, which is paired, have the session.
  void publish(const std::string& policy) {
    ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share src/thing --with nas --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    ASSERT_EQ(on("b", "remote add nas dir:" + home + "/share --as tower"), 0) << err;
    ASSERT_EQ(on("b", "sync --fetch all"), 0) << err;
    ASSERT_EQ(on("b", "remote trust nas laptop"), 0) << err;
    ASSERT_EQ(sh("rm -r $HOME/a/.claude"), 0) << err;
    ASSERT_EQ(sh("cp -a $HOME/a $HOME/before-a && cp -a $HOME/b $HOME/before-b && cp -a $HOME/share $HOME/before"), 0);
  }
  void start_again() {
    ASSERT_EQ(sh("rm -rf $HOME/a $HOME/b $HOME/share && cp -a $HOME/before-a $HOME/a && cp -a $HOME/before-b $HOME/b "
                 "&& cp -a $HOME/before $HOME/share"),
              0);
  }
  void expect_kept(const std::string& how) {
    ASSERT_EQ(on("a", "sync --dry-run"), 0) << err;
    EXPECT_FALSE((out + err).contains("withdraw")) << how << out << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(out.contains("withdrew")) << how << out;
    EXPECT_TRUE(is_there("please list the files")) << how;
    ASSERT_EQ(on("b", "sync"), 0) << err;
    ASSERT_EQ(on("b", "ls --machine laptop"), 0) << how << err;
  }
};

TEST_F(SyncLostHere, LostLinesWithdrawNothing) {
  for (const std::string& policy : {std::string("full"), std::string("redacted")}) {
    publish(policy);
    for (const std::string& how : {"sed -i '1s/list/lisx/' " + archive + "/log.jsonl", "rm " + archive + "/log.jsonl",
                                   "truncate -s 0 " + archive + "/log.jsonl", "mv " + archive + " $HOME/a/away"}) {
      SCOPED_TRACE(policy + ": " + how);
      ASSERT_EQ(sh(how), 0) << err;
      expect_kept(how);
      // A person can withdraw it all the same.
      ASSERT_EQ(on("a", "remote unshare src/thing --with nas"), 0) << err;
      ASSERT_EQ(on("a", "sync"), 0) << err;
      EXPECT_TRUE(out.contains("withdrew 1")) << out;
      EXPECT_FALSE(is_there("please list the files"));
      start_again();
    }
    ASSERT_EQ(sh("rm " + archive + "/log.jsonl"), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(err.contains("lines are missing from the log")) << err;
    ASSERT_EQ(sh("rm -rf $HOME/a $HOME/b $HOME/share $HOME/before*"), 0) << err;
    SetUp();
  }
}

TEST_F(SyncLostHere, PrunedSessionStaysUntilItIsForgotten) {
  publish("full");
  put(home + "/a/.config/holdfast/config.toml", "[archive]\nkeep_days = 1\n");
  ASSERT_EQ(on("a", "archive prune --yes"), 0) << err;
  ASSERT_EQ(on("a", "restore " + id), 3) << out;
  expect_kept("prune");
  ASSERT_EQ(sh("cp -a $HOME/a $HOME/pruned"), 0);
  for (const std::string& how : {"forget " + id, std::string("forget --match 'list the files'")}) {
    ASSERT_EQ(on("a", how + " --dry-run"), 0) << how << err;
    ASSERT_EQ(on("a", how + " --yes"), 0) << how << err;
    EXPECT_TRUE(out.contains("at nas, until the next holdfast sync")) << how << out;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_TRUE(out.contains("withdrew 1")) << how << out;
    EXPECT_FALSE(is_there("please list the files")) << how;
    ASSERT_EQ(on("a", "sync"), 0) << err;
    EXPECT_FALSE(out.contains("withdrew")) << how << out;
    start_again();
    ASSERT_EQ(sh("rm -rf $HOME/a && cp -a $HOME/pruned $HOME/a"), 0);
  }
}

// The body of a pruned session is erased with that of another one, and published again.
TEST_F(SyncLostHere, PrunedSessionSurvivesTheWithdrawalOfAnother) {
  const std::string other = "dddddddd-0000-4000-8000-000000000002";
  put(home + "/a/.claude/projects/-thing/" + other + ".jsonl",
      R"({"type":"user","uuid":"o1","parentUuid":null,"sessionId":")" + other + R"(","cwd":")" + home +
          R"(/a/src/thing","timestamp":"2099-01-01T00:00:00Z","message":{"role":"user","content":"said late"}})"
          "\n");
  publish("full");
  put(home + "/a/.config/holdfast/config.toml", "[archive]\nkeep_days = 1\n");
  ASSERT_EQ(on("a", "archive prune --yes"), 0) << err;
  ASSERT_EQ(on("a", "forget " + other + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1")) << out;
  EXPECT_TRUE(is_there("please list the files") && !is_there("said late"));
  ASSERT_EQ(sh("rm -rf $HOME/c && mkdir $HOME/c"), 0);
  ASSERT_EQ(on("c", "remote add nas dir:" + home + "/share --as cabin"), 0) << err;
  ASSERT_EQ(on("c", "sync --fetch all"), 0) << err;
  ASSERT_EQ(on("c", "show " + id + " --machine laptop"), 0) << err;
  EXPECT_TRUE(out.contains("please list the files") && out.contains("and now count them")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
