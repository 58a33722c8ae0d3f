// Which files of an agent the archive keeps and which never, who may read it, and that every command that reads
// sessions reads archived ones.
#include <map>
#include <vector>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchiveKept : CliHome {
  void write(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  std::map<std::string, std::string> files_below(const std::string& folder) {
    std::map<std::string, std::string> files;
    if (!fs::exists(home + "/" + folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + folder))
      if (entry.is_regular_file()) {
        const std::string name = fs::relative(entry.path(), home).string();
        files[name] = text(name);
      }
    return files;
  }
  const std::string id = "aaaaaaaa-0000-4000-8000-000000000001";
  const std::string project = ".claude/projects/-desk/";
  const std::string archive = ".local/share/holdfast/archive";
};

TEST_F(ArchiveKept, FilesOfClaudeCodeComeBackAndSettingsDoNot) {
  claude(id, "\"a prompt\"");
  std::ofstream(home + "/" + project + id + ".jsonl", std::ios::app)
      << R"({"type":"custom-title","customTitle":"a title","sessionId":")" << id << "\"}\n";
  const std::string of_agent = R"({"type":"user","uuid":"s","parentUuid":null,"isSidechain":true,"agentId":"abc",)"
                               R"("sessionId":")" +
                               id + R"(","message":{"role":"user","content":"a task"}})" + "\n";
  write(project + id + "/subagents/agent-abc.jsonl", of_agent);
  write(project + id + "/subagents/agent-abc.meta.json", "{}");
  write(project + id + "/tool-results/x.txt", "an output");
  write(".claude/file-history/" + id + "/0123@v1", "as it was");
  write(".claude/todos/" + id + "-agent-" + id + ".json", "[]");
  const auto kept = files_below(".claude");
  ASSERT_EQ(kept.size(), 6U);
  for (const std::string never :
       {".claude/settings.json", ".claude/.credentials.json", ".claude/CLAUDE.md", ".claude/hooks/x.sh",
        ".claude/commands/x.md", ".claude/plugins/x.json", ".claude/skills/x.md", ".claude/.mcp.json"})
    write(never, "secret thing");
  for (const std::string never :
       {"tool-results/x.key", "tool-results/server.pem", "CLAUDE.md", "settings.json", ".env", "x.lock"})
    write(project + id + "/" + never, "secret thing");
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  ASSERT_EQ(sh("for one in $HOME/" + archive + "/packs/*.zst; do zstd -dcq $one; done >$HOME/plain"), 0) << err;
  EXPECT_FALSE(text("plain").contains("secret thing"));
  fs::remove_all(home + "/.claude");
  ASSERT_EQ(sh("$H restore aaaaaaaa"), 0) << err;
  EXPECT_EQ(files_below(".claude"), kept);
}

// Claude Code 2.0 kept the transcripts of sub-agents beside the session.
TEST_F(ArchiveKept, TranscriptBesideTheSessionIsKept) {
  claude(id, "\"a prompt\"");
  write(project + "agent-0abc1234.jsonl",
        R"({"type":"user","uuid":"s","parentUuid":null,"isSidechain":true,"agentId":"0abc1234","sessionId":")" + id +
            R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"a task"}})"
            "\n");
  const auto kept = files_below(".claude");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude && $H restore aaaaaaaa && $H restore 0abc1234"), 0) << err;
  EXPECT_EQ(files_below(".claude"), kept);
}

TEST_F(ArchiveKept, NobodyElseCanReadIt) {
  claude(id, "\"a prompt\"");
  ASSERT_EQ(sh("umask 0; $H archive run && $H archive compact && $H archive run && $H forget aaaaaaaa --yes"), 0)
      << err;
  const auto others = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(home + "/" + archive).permissions(), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(home + "/" + archive))
    if (entry.is_regular_file()) {
      EXPECT_EQ(entry.status().permissions() & others, fs::perms::none) << entry.path();
    }
}

TEST_F(ArchiveKept, EveryReaderReadsArchivedSessions) {
  claude(id, "\"a prompt about walruses\"");
  ASSERT_EQ(sh("$H archive run && rm -r $HOME/.claude"), 0) << err;
  const std::string name = "claude-code/" + id;
  for (const std::string& command : std::vector<std::string>{
           "show " + name, "search walruses", "export " + name + " --format md", "export " + name + " --format html",
           "rescue " + name + " -o $HOME/copy && cat $HOME/copy", "message list " + name, "tail " + name + " -n 5",
           "session get " + name, "ls --json"}) {
    EXPECT_EQ(sh("$H " + command), 0) << command << err;
    EXPECT_TRUE(out.contains("walruses")) << command << out;
  }
  ASSERT_EQ(sh("mkdir -p $HOME/.pi/agent/sessions && $H handoff " + name + " --to pi --project $HOME/desk --yes"), 0)
      << err;
  EXPECT_EQ(sh("grep -rl walruses $HOME/.pi"), 0) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
