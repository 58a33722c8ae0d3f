// Titles that people gave, where an agent keeps them in one file for all sessions.
#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveTitles : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    for (const std::string& one : {id, other}) CodexLog(home, one).turn();
    ASSERT_EQ(sh("find $HOME/.codex -type f -exec touch -d '1 hour ago' {} +; $H archive run"), 0) << err;
  }
  void rename(const std::string& session, const std::string& title) {
    std::ofstream(home + "/" + titles, std::ios::app)
        << R"({"id":")" + session + R"(","thread_name":")" + title + R"(","updated_at":"2026-02-02T00:00:00Z"})"
        << "\n";
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "bbbbbbbb-0000-4000-8000-000000000002";
  const std::string titles = ".codex/session_index.jsonl";
};

TEST_F(ArchiveTitles, CapturesAndRestoresLaterTitle) {
  rename(id, "my codex thread");
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "1") << out;
  ASSERT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << "it is known: " << out;
  ASSERT_EQ(sh("rm -r $HOME/.codex && $H ls"), 0) << err;
  EXPECT_TRUE(out.contains("my codex thread") && out.contains("archived")) << out;
  EXPECT_TRUE(out.contains("prompt 0")) << "the other one: " << out;
  // The title is restored with the session if there is no such file yet.
  ASSERT_EQ(sh("$H restore aaaaaaaa && $H ls"), 0) << err;
  EXPECT_TRUE(out.contains("my codex thread")) << out;
  EXPECT_TRUE(text(titles).contains(R"("thread_name":"my codex thread")")) << text(titles);
  EXPECT_EQ(sh("$H archive verify"), 0) << out << err;
}

TEST_F(ArchiveTitles, DoesNotEditExistingTitlesFile) {
  rename(id, "my codex thread");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  fs::remove_all(home + "/.codex/sessions");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_FALSE(err.contains("title")) << "it still says so: " << err;
  fs::remove_all(home + "/.codex");
  fs::create_directory(home + "/.codex");
  rename(other, "another title");
  const std::string before = text(titles);
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_TRUE(err.contains("the title \"my codex thread\" is not restored")) << err;
  EXPECT_EQ(text(titles), before);
}

// The file that contains the title is reported as out of reach.
TEST_F(ArchiveTitles, ForgetReportsTitlesFileAsOutOfReach) {
  rename(id, "hunter2Zebra");
  ASSERT_EQ(sh("$H archive run && $H forget --match hunter2Zebra --yes"), 0) << err;
  EXPECT_TRUE(out.contains(home + "/" + titles)) << out;
  EXPECT_FALSE(out.contains("rollout-")) << out;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.local"), 0) << out;
}

// Not in a row from before the session had the line either.
TEST_F(ArchiveTitles, ForgottenTitleIsNotKeptInEarlierRows) {
  rename(id, "hunter2Zebra");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  rename(id, "another title");
  fs::remove(CodexLog(home, id).path);
  CodexLog(home, id).prompt("hunter2Zebra");  // its agent has written it anew
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes && $H archive run"), 0) << out << err;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.local"), 0) << out;
}

// A title that no run has captured yet.
TEST_F(ArchiveTitles, ForgottenTitleIsNotCapturedLater) {
  rename(id, "hunter2Zebra");
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("would remove 1 session")) << out;
  ASSERT_EQ(sh("$H forget --match hunter2Zebra --yes && $H archive run"), 0) << err;
  EXPECT_NE(sh("grep -rl hunter2Zebra $HOME/.local"), 0) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
