// Which session `forget ID` and `restore ID` mean: live sessions and captured ones count together, as for `show`.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ForgetMeant : CliHome {
  void codex(const std::string& session) {
    const std::string path = home + "/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + session + ".jsonl";
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << R"({"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":")" << session
                        << R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv/proj","cli_version":"0"}})"
                        << "\n"
                        << R"({"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message",)"
                        << R"("role":"user","content":[{"type":"input_text","text":"hello"}]}})"
                        << "\n";
  }
  void expect_ambiguous(const std::string& command, const std::string& first, const std::string& second) {
    EXPECT_EQ(sh("$H " + command), 3) << command << out << err;
    EXPECT_TRUE(err.contains("ambiguous") && err.contains("\n  " + first) && err.contains("\n  " + second))
        << command << err;
    EXPECT_EQ(sh("$H archive versions claude-code/" + id), 0) << command << err;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string other = "aaaaaaab-0000-4000-8000-000000000002";
};

TEST_F(ForgetMeant, PrefixOfCapturedSessionAndOfOneNotCapturedYet) {
  claude(id, "\"hello\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  claude(other, "\"hello\"");
  ASSERT_EQ(sh("$H show aaaaaaa"), 3) << out;
  for (const bool gone : {false, true}) {
    if (gone) fs::remove(home + "/.claude/projects/-desk/" + id + ".jsonl");
    for (const char* const command :
         {"forget aaaaaaa --yes", "forget aaaaaaa --dry-run", "forget claude-code/aaaaaaa --yes", "restore aaaaaaa"})
      expect_ambiguous(command, "claude-code/" + id, "claude-code/" + other);
  }
  EXPECT_FALSE(fs::exists(home + "/.claude/projects/-desk/" + id + ".jsonl"));
  EXPECT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(sh("$H forget aaaaaaaa --yes"), 0) << err;
  EXPECT_EQ(sh("$H archive run && $H archive versions " + other), 0) << err;
  EXPECT_EQ(sh("$H archive versions " + id), 3) << out;
}

TEST_F(ForgetMeant, WholeIdThatTwoAgentsHave) {
  claude(id, "\"hello\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  codex(id);
  for (const std::string& command : {"forget " + id + " --yes", "restore " + id})
    expect_ambiguous(command, "claude-code/" + id, "codex/" + id);
  EXPECT_EQ(sh("$H forget codex/" + id + " --yes && $H archive run && $H archive versions claude-code/" + id), 0)
      << err;
  EXPECT_EQ(sh("$H archive versions codex/" + id), 3) << out;
}

// The archive has only a session whose id continues the whole id of one that it does not have yet.
TEST_F(ForgetMeant, WholeIdOfSessionNotCapturedYet) {
  claude("plan-b", "\"hello\"");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  claude("plan", "\"hello\"");
  EXPECT_EQ(sh("$H restore plan"), 3) << out;
  ASSERT_EQ(sh("$H forget plan --yes && $H archive run && $H archive versions plan-b"), 0) << err;
  EXPECT_EQ(sh("$H archive versions claude-code/plan"), 0) << out;
  EXPECT_TRUE(out.starts_with("claude-code/plan-b\n")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
