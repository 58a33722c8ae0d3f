// An archive that was moved to another home: sessions are restored where their agent looks now, and are listed once.
#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveMoved : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    claude(id, "\"a prompt\"");
    ASSERT_EQ(sh("mkdir $HOME/one && mv $HOME/.claude $HOME/one/ && HOME=$HOME/one $H archive run --json && "
                 "mv $HOME/one $HOME/two"),
              0)
        << err;
    ASSERT_EQ(field({"captured"}), "1") << out;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string log = ".claude/projects/-desk/" + id + ".jsonl";
};

TEST_F(ArchiveMoved, RestoreWritesToCurrentHome) {
  const std::string bytes = text("two/" + log);
  ASSERT_EQ(sh("rm -r $HOME/two/.claude; HOME=$HOME/two $H restore aaaaaaaa"), 0) << err;
  EXPECT_FALSE(fs::exists(home + "/one")) << "the old home is made again";
  EXPECT_EQ(text("two/" + log), bytes);
  EXPECT_NE(out.find("it was captured in " + home + "/one/.claude; its agent now looks elsewhere"), std::string::npos)
      << out;
  // Captured from both homes, it is still one session.
  ASSERT_EQ(sh("export HOME=$HOME/two; $H archive run && rm -r $HOME/.claude && $H restore aaaaaaaa --json"), 0) << err;
  EXPECT_EQ(text("two/" + log), bytes);
  ASSERT_EQ(sh("HOME=$HOME/two $H forget aaaaaaaa --yes --json"), 0) << err;
  EXPECT_EQ(field({"still_there"}), "[]") << out;
  EXPECT_NE(field({"forgotten"}).find("/one/.claude"), std::string::npos) << out;
  EXPECT_NE(field({"forgotten"}).find("/two/.claude"), std::string::npos) << out;
}

TEST_F(ArchiveMoved, ForgetsMovedSessionAsOne) {
  ASSERT_EQ(sh("export HOME=$HOME/two; $H archive run && $H forget aaaaaaaa --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("remove 1 session from the archive for good and never capture it again: ")) << out;
  EXPECT_EQ(out.find(id), out.rfind(id)) << out;
  ASSERT_EQ(sh("HOME=$HOME/two $H forget aaaaaaaa --yes"), 0) << err;
  EXPECT_TRUE(out.starts_with("forgot 1 session: claude-code/" + id + "\n")) << out;
}

TEST_F(ArchiveMoved, ListsMovedSessionOnce) {
  for (const char* before : {"true", "$H archive run >/dev/null", "rm -r $HOME/.claude"}) {
    ASSERT_EQ(sh("export HOME=$HOME/two; " + std::string(before) + " && $H ls --json"), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << before << out;
  }
  ASSERT_EQ(sh("HOME=$HOME/two $H archive status --json"), 0) << err;
}

// An archive that was copied to another home, while the first one stays: nothing there is the new home's own.
TEST_F(ArchiveMoved, ReadsSessionsOfAnotherHomeFromTheArchive) {
  claude(id, "\"a prompt about walruses\"");
  ASSERT_EQ(sh("mkdir $HOME/first && mv $HOME/.claude $HOME/first/ && HOME=$HOME/first $H archive run && "
               "mkdir -p $HOME/second/.local/share && cp -r $HOME/first/.local/share/holdfast "
               "$HOME/second/.local/share/"),
            0)
      << err;
  for (const char* before : {"true", "mkdir $HOME/.claude"}) {
    const std::string there = "export HOME=$HOME/second; " + std::string(before) + "; ";
    ASSERT_EQ(sh(there + "$H ls --json"), 0) << err;
    EXPECT_EQ(field({"total"}), "1") << out;
    EXPECT_TRUE(out.contains("\"status\":\"archived\"")) << out;
    ASSERT_EQ(sh(there + "$H ls --archived"), 0) << err;
    EXPECT_TRUE(out.contains(id)) << out;
    for (const char* command : {"show aaaaaaaa", "search walruses", "export aaaaaaaa --format md"}) {
      ASSERT_EQ(sh(there + "$H " + command), 0) << command << err;
      EXPECT_TRUE(out.contains("walruses")) << command << out;
    }
    ASSERT_EQ(sh(there + "$H stats --json"), 0) << err;
    EXPECT_EQ(field({"total", "sessions"}), "1") << out;
    ASSERT_EQ(sh(there + "$H"), 0) << err;
    EXPECT_TRUE(out.contains("1 session on this machine, only in the archive")) << out;
    ASSERT_EQ(sh(there + "$H doctor"), 0) << err;
    EXPECT_TRUE(out.contains("the archive has 1 session")) << out;
  }
  // Once restored, it is the session of this home.
  ASSERT_EQ(sh("export HOME=$HOME/second; $H restore aaaaaaaa && $H ls --json"), 0) << err;
  const std::string listed = out.substr(out.find("{\"schema"));
  EXPECT_EQ(JsonView(listed).find("total").raw(), "1") << out;
  EXPECT_FALSE(listed.contains("archived")) << out;
}

// A variable of the agent names another directory, and the store was moved there.
TEST_F(ArchiveMoved, RecognizesStoreMovedToClaudeConfigDir) {
  const std::string moved =
      "mkdir -p $HOME/.config && mv $HOME/.claude $HOME/.config/claude && export "
      "CLAUDE_CONFIG_DIR=$HOME/.config/claude; ";
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("$H archive run && " + moved + "$H ls --json"), 0) << err;
  const std::string listed = out.substr(out.find('{'));
  EXPECT_EQ(JsonView(listed).find("total").raw(), "1") << out;
  const std::string now = "export CLAUDE_CONFIG_DIR=$HOME/.config/claude; ";
  ASSERT_EQ(sh(now + "$H stats --by agent --json"), 0) << err;
  EXPECT_FALSE(out.contains("\"sessions\":2")) << out;
  ASSERT_EQ(sh(now + "$H archive run >/dev/null && $H ls --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1") << out;
  ASSERT_EQ(sh(now + "rm -r $HOME/.config/claude && $H restore aaaaaaaa"), 0) << err;
  EXPECT_TRUE(fs::exists(home + "/.config/claude/projects/-desk/" + id + ".jsonl")) << out;
  ASSERT_EQ(sh(now + "$H forget aaaaaaaa --yes"), 0) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
