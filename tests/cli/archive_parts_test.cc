// The transcript of a sub-agent is kept with its session: it is restored and forgotten with it, never by halves.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveParts : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude(id, "\"start an agent\"");
    write(".claude/projects/-desk/" + id + "/subagents/agent-" + inner + ".jsonl",
          R"({"type":"user","isSidechain":true,"agentId":")" + inner +
              R"(","uuid":"s","parentUuid":null,"sessionId":")" + id +
              R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":)"
              R"("look at hunter2"}})"
              "\n");
  }
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string inner = "a549c53f57f71bf53";
  const std::string whole = "claude-code/" + id;
};

TEST_F(ArchiveParts, RefusesToForgetSubAgentTranscriptAlone) {
  const auto is_refused = [&](const std::string& how) {
    EXPECT_NE(sh("$H forget claude-code/" + inner + how), 0) << out;
    EXPECT_TRUE(err.contains(inner + " is the transcript of a sub-agent, which is kept with its session " + whole))
        << err;
    EXPECT_TRUE(err.contains("holdfast forget " + whole)) << err;
  };
  ASSERT_EQ(sh("$H archive run && $H ls --all"), 0) << err;
  ASSERT_TRUE(out.contains("a549c53f")) << out;
  is_refused(" --yes");
  is_refused(" --dry-run");
  EXPECT_FALSE(fs::exists(home + "/.local/share/holdfast/archive/forgotten.json"));
  fs::remove_all(home + "/.claude");
  is_refused(" --yes");
  ASSERT_EQ(sh("$H forget " + whole + " --yes"), 0) << err;
  EXPECT_NE(sh("$H show claude-code/" + inner), 0) << out;
  EXPECT_EQ(sh("$H search hunter2"), 1) << out;
}

TEST_F(ArchiveParts, RestoresSubAgentTranscriptWithItsSession) {
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore claude-code/" + inner + " --dry-run"), 0) << err;
  EXPECT_TRUE((out + err).contains(whole)) << out << err;
  ASSERT_EQ(sh("$H restore claude-code/" + inner), 0) << err;
  EXPECT_TRUE(err.contains("its session " + whole + " was restored")) << err;
  ASSERT_EQ(sh("$H show claude-code/" + inner), 0) << err;
  EXPECT_TRUE(out.contains("look at hunter2")) << out;
  EXPECT_TRUE(fs::exists(home + "/.claude/projects/-desk/" + id + ".jsonl"));
}

TEST_F(ArchiveParts, TranscriptThatIsNewerThanTheCaptureNamesItsSession) {
  ASSERT_EQ(sh("$H archive run && $H archive versions " + whole), 0) << err;  // the second one remembers the log
  const std::string newer = "b649c53f57f71bf64", folder = ".claude/projects/-desk/" + id + "/subagents/agent-";
  std::string bytes = text(folder + inner + ".jsonl");
  for (std::size_t at = bytes.find(inner); at != std::string::npos; at = bytes.find(inner))
    bytes.replace(at, inner.size(), newer);
  write(folder + newer + ".jsonl", bytes);
  ASSERT_EQ(sh("$H restore claude-code/" + newer + " --to $HOME/back"), 0) << err;
  EXPECT_TRUE(err.contains("its session " + whole + " was restored")) << err;
  EXPECT_TRUE(fs::exists(home + "/back/projects/-desk/" + id + ".jsonl"));
}

TEST_F(ArchiveParts, ForgottenTranscriptIsNotBlamedOnSettings) {
  ASSERT_EQ(sh("$H archive run && $H forget " + whole + " --yes && $H archive run"), 0) << err;
  EXPECT_TRUE(out.contains("1 session is forgotten and not captured")) << out;
  EXPECT_FALSE(out.contains("your settings")) << out;
}

// An agent that is installed but was never used.
TEST_F(ArchiveParts, UnusedAgentFoldersCauseNoWarnings) {
  for (const char* const folder : {".gemini", ".copilot", ".qwen", ".codex", ".pi/agent", ".continue"})
    fs::create_directories(home + "/" + folder);
  write(".gemini/settings.json", "{}");
  ASSERT_EQ(sh("$H archive run"), 0) << out << err;
  EXPECT_FALSE(out.contains("not everything could be read")) << out;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H archive status"), 0) << err;
  EXPECT_EQ(err, "");
}

}  // namespace
}  // namespace holdfast::inline v1
