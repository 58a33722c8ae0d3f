// What is deleted for good is in no file of the store: no backup, no replaced or cleared log, no quarantine.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

struct DeletedForGood : CliHome {
  void use(const std::string& layout) {
    store_ = " --store " + layout + ":" + home + "/store";
    ASSERT_EQ(hf("store create"), 0) << err;
  }
  int hf(const std::string& words) { return sh("$H " + words + store_); }
  // Every file of the store that contains the words, one a line.
  std::string files_with(const std::string& words) {
    sh("grep -rlF -e '" + words + "' $HOME/store");
    return out;
  }
  std::string made_session() {
    EXPECT_EQ(hf("session create --project $HOME/desk --json"), 0) << err;
    const std::string id = field({"session", "id"});
    EXPECT_EQ(hf("message append " + id + " 'my TOPSECRET words'"), 0) << err;
    return id;
  }
  std::string made_thread() {
    EXPECT_EQ(hf("thread create --project $HOME/desk --title 'a TOPSECRET title' --json"), 0) << err;
    const std::string id = field({"thread", "id"});
    EXPECT_EQ(hf("thread resume " + id), 0) << err;
    EXPECT_EQ(hf("message append @last 'my TOPSECRET words'"), 0) << err;
    EXPECT_EQ(hf("message append @last 'more TOPSECRET words'"), 0) << err;
    return id;
  }

 private:
  std::string store_;
};

TEST_F(DeletedForGood, OpenAgentSessionLeavesNoReplacedLogHeaderOrIndex) {
  use("open-agent");
  for (const bool ended : {false, true}) {
    const std::string id = made_session(), other = made_session();
    ASSERT_EQ(hf("message append " + other + " 'another session'"), 0) << err;
    ASSERT_EQ(hf("session update " + id + " --title 'a TOPSECRET title'"), 0) << err;
    ASSERT_EQ(hf("session delete " + other + " --yes"), 0) << err;
    if (ended) {
      ASSERT_EQ(hf("session end " + id + " --summary 'TOPSECRET in short'"), 0) << err;
      EXPECT_TRUE(files_with("TOPSECRET").contains("/.holdfast/replaced/")) << out;
    }
    ASSERT_EQ(hf("session delete " + id + " --yes"), 0) << err;
    EXPECT_EQ(files_with("TOPSECRET"), "") << ended;
  }
}

// A session in the trash can come back whole; nothing is left once the trash is emptied.
TEST_F(DeletedForGood, TrashKeepsSessionUntilItIsEmptied) {
  for (const std::string& layout : {std::string("open-agent"), std::string("maestro"), std::string("linggen")}) {
    SCOPED_TRACE(layout);
    ASSERT_EQ(sh("rm -rf $HOME/store"), 0);
    use(layout);
    const std::string id = made_session();
    if (layout == "open-agent") {
      ASSERT_EQ(hf("session end " + id), 0) << err;
    }
    ASSERT_EQ(hf("rm " + id + " --yes"), 0) << err;
    ASSERT_EQ(hf("restore " + id), 0) << err;
    ASSERT_EQ(hf("session show " + id), 0) << err;
    EXPECT_TRUE(out.contains("my TOPSECRET words")) << out;
    ASSERT_EQ(hf("rm " + id + " --yes"), 0) << err;
    EXPECT_TRUE(files_with("my TOPSECRET words").contains("/.holdfast/removed/")) << out;
    ASSERT_EQ(hf("prune --trash-days 0 --yes"), 0) << err;
    EXPECT_EQ(files_with("my TOPSECRET words"), "");
  }
}

TEST_F(DeletedForGood, MaestroSessionAndThreadLeaveNoBackups) {
  use("maestro");
  const std::string thread = made_thread();
  ASSERT_EQ(hf("session delete @last --yes"), 0) << err;
  EXPECT_EQ(files_with("TOPSECRET words"), "");
  EXPECT_TRUE(files_with("TOPSECRET title").contains("/threads/")) << "the thread is still there: " << out;
  ASSERT_EQ(hf("thread resume " + thread), 0) << err;
  ASSERT_EQ(hf("message append @last 'again TOPSECRET words'"), 0) << err;
  ASSERT_EQ(hf("thread delete " + thread + " --yes"), 0) << err;
  EXPECT_EQ(files_with("TOPSECRET"), "");
}

// A document that is still there keeps its backup.
TEST_F(DeletedForGood, OtherThreadsKeepTheirBackups) {
  use("maestro");
  const std::string thread = made_thread();
  ASSERT_EQ(hf("call thread.save '{\"thread\":{\"id\":\"thr_2\",\"title\":\"before\"}}'"), 0) << err;
  ASSERT_EQ(hf("call thread.save '{\"thread\":{\"id\":\"thr_2\",\"title\":\"after\"}}'"), 0) << err;
  ASSERT_EQ(hf("thread delete " + thread + " --yes"), 0) << err;
  EXPECT_TRUE(files_with("\"title\": \"before\"").contains("/backup/threads%2fthr_2.json")) << out;
}

TEST_F(DeletedForGood, LinggenProjectLeavesNoMissionOrClearedLog) {
  use("linggen");
  ASSERT_EQ(hf("project add $HOME/desk"), 0) << err;
  const std::string id = made_session();
  ASSERT_EQ(hf("session clear " + id + " --yes"), 0) << err;
  for (const char* mission : {"first", "second"})
    ASSERT_EQ(hf("mission set 'TOPSECRET " + std::string(mission) + "' --project $HOME/desk"), 0) << err;
  const std::string before = files_with("TOPSECRET");
  EXPECT_TRUE(before.contains("/.holdfast/cleared/") && before.contains("/.holdfast/backup/")) << before;
  ASSERT_EQ(hf("project remove $HOME/desk --yes"), 0) << err;
  EXPECT_EQ(files_with("TOPSECRET"), "");
}

TEST_F(DeletedForGood, LinggenSessionTakesItsClearedLogAndLeavesThoseOfOthers) {
  use("linggen");
  const std::string id = made_session(), other = made_session();
  ASSERT_EQ(hf("session clear " + id + " --yes"), 0) << err;
  ASSERT_EQ(hf("session clear " + other + " --yes"), 0) << err;
  ASSERT_EQ(hf("session delete " + id + " --yes"), 0) << err;
  const std::string left = files_with("TOPSECRET");
  EXPECT_TRUE(left.contains(other) && !left.contains(id)) << left;
}

TEST_F(DeletedForGood, NativeThreadLeavesNoBackup) {
  use("holdfast");
  const std::string thread = made_thread();
  ASSERT_EQ(hf("thread delete " + thread + " --yes"), 0) << err;
  EXPECT_EQ(files_with("TOPSECRET"), "");
}

}  // namespace
}  // namespace holdfast::inline v1
