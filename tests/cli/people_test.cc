// What a person types to find a session: filters, ids, times, help; and resuming it.
#include <algorithm>
#include <cctype>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kFirst = "aaaaaaaa-0000-4000-8000-000000000001";
constexpr const char* kSecond = "aaaaaaaa-0000-4000-8000-000000000002";

struct EverydayCommands : CliHome {
  // Installs an agent that records its directory, its arguments and its variables.
  void agent(const std::string& name) {
    std::filesystem::create_directories(home + "/bin");
    std::ofstream(home + "/bin/" + name) << "#!/bin/sh\npwd > $HOME/ran\nfor word; do echo \"<$word>\" >> $HOME/ran; "
                                            "done\necho config=$CLAUDE_CONFIG_DIR >> $HOME/ran\nexit 7\n";
    std::filesystem::permissions(home + "/bin/" + name, std::filesystem::perms::owner_all);
  }
  void claude_in(const std::string& root, const std::string& id, const std::string& project) {
    std::string folder = project;
    std::ranges::replace_if(folder, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
    const std::string path = root + "/projects/" + folder + "/" + id + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" << id << R"(","cwd":")"
                        << project << R"(","timestamp":"2026-01-01T23:30:00Z","message":{"role":"user","content":")"
                        << "a prompt of " << id << "\"}}\n";
  }
  void codex(const std::string& id) {
    const std::string folder = home + "/.codex/sessions/2026/01/01/";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "rollout-2026-01-01T00-00-00-" + id + ".jsonl")
        << R"({"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":")" << id
        << R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/srv/other","originator":"codex","cli_version":"1"}})"
        << "\n"
        << R"({"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":{"type":"message","role":)"
        << R"("user","content":[{"type":"input_text","text":"hello codex"}]}})"
        << "\n";
  }
  bool has(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }
};

TEST_F(EverydayCommands, ResumeRunsTheAgentInTheProjectDirectory) {
  const std::string project = home + "/it's $(touch ran-by-a-shell); here";
  std::filesystem::create_directories(project);
  claude_in(home + "/.claude", kFirst, project);
  agent("claude");
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H resume aaaa"), 7) << "the exit code is the agent's" << err;
  EXPECT_EQ(text("ran"), project + "\n<--resume>\n<" + std::string(kFirst) + ">\nconfig=\n");
  EXPECT_EQ(out + err, "");
  EXPECT_EQ(sh("$H resume aaaa --print"), 0) << err;
  EXPECT_TRUE(has(out, "cd '" + home + "/it'\\''s $(touch ran-by-a-shell); here' && claude --resume ")) << out;
  EXPECT_EQ(sh("$H resume aaaa --json"), 0) << err;
  EXPECT_EQ(field({"directory"}), project);
  EXPECT_EQ(sh("$H resume aaaa"), 2) << "it is not installed";
  EXPECT_TRUE(has(err, "claude is not installed, or not in $PATH")) << err;
  std::filesystem::remove_all(project);
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H resume aaaa"), 3);
  EXPECT_TRUE(has(err, "cannot change to the session's directory")) << err;
}

TEST_F(EverydayCommands, ResumePassesTheStoreToTheAgent) {
  claude_in(home + "/elsewhere", kFirst, home);
  agent("claude");
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H resume aaaa --store claude-code:$HOME/elsewhere"), 7) << err;
  EXPECT_TRUE(has(text("ran"), "config=" + home + "/elsewhere\n")) << text("ran");
}

TEST_F(EverydayCommands, ResumeShowsNativeSession) {
  const std::string id = create("\"one\"");
  EXPECT_EQ(sh("$H resume " + id), 0) << err;
  EXPECT_TRUE(has(out, id)) << out;
  EXPECT_EQ(sh("$H resume nobody"), 3);
  EXPECT_EQ(sh("$H resume"), 2);
}

TEST_F(EverydayCommands, AgentFilterAcceptsAliasesAndPrefixes) {
  claude_in(home + "/.claude", kFirst, "/srv/alpha");
  codex("bbbbbbbb-0000-4000-8000-000000000001");
  for (const std::string name :
       {"-a claude", "-aclaude", "--agent claude-code", "--agent 'Claude Code'", "-a CLAUDE", "--agent=cl"}) {
    EXPECT_EQ(sh("$H ls --json " + name), 0) << name << err;
    EXPECT_EQ(field({"total"}), "1") << name;
    EXPECT_TRUE(has(out, kFirst)) << name;
  }
  EXPECT_EQ(sh("$H ls -a co"), 2);
  EXPECT_TRUE(has(err, "more than one agent begins with \"co\"; it could be codex, copilot, continue")) << err;
  EXPECT_EQ(sh("$H ls -a nobody"), 2);
  EXPECT_TRUE(has(err, "there is no agent \"nobody\"")) << err;
  EXPECT_EQ(sh("$H search hello -a codex --json"), 0) << err;
  EXPECT_EQ(field({"total"}), "1");
  EXPECT_EQ(sh("$H stats -a codex --json"), 0) << err;
}

TEST_F(EverydayCommands, ProjectFilterMatchesDirectoryParentOrName) {
  std::filesystem::create_directories(home + "/desk/here");
  claude_in(home + "/.claude", kFirst, "/srv/work/alpha");
  claude_in(home + "/.claude", kSecond, home + "/desk/here");
  const auto found = [&](const std::string& project) {
    sh("$H ls --json --project " + project);
    return field({"total"});
  };
  EXPECT_EQ(found("/srv/work/alpha"), "1");
  EXPECT_EQ(found("/srv/work"), "1") << "and what is below";
  EXPECT_EQ(found("/srv/wor"), "0") << "whole names only";
  EXPECT_EQ(found("alpha"), "1");
  EXPECT_EQ(found("al"), "1");
  EXPECT_EQ(found("lpha"), "0");
  EXPECT_EQ(found("."), "1");
  EXPECT_EQ(found("here"), "1") << "a directory that is here";
}

TEST_F(EverydayCommands, AmbiguousIdListsCandidatesInAllStores) {
  claude_in(home + "/.claude", kFirst, "/srv/alpha");
  claude_in(home + "/.claude", kSecond, "/srv/alpha");
  codex("aaaaaaaa-0000-4000-8000-000000000003");
  EXPECT_EQ(sh("$H show aaaa"), 3);
  EXPECT_TRUE(has(err, "\"aaaa\" is ambiguous: 3 sessions begin with it\n")) << err;
  for (const std::string& name : {"claude-code/" + std::string(kFirst), "claude-code/" + std::string(kSecond),
                                  std::string("codex/aaaaaaaa-0000-4000-8000-000000000003")})
    EXPECT_TRUE(has(err, "\n  " + name + "\n")) << err;
  EXPECT_EQ(sh("$H show codex/aaaa"), 0) << err;
}

// Each line can be pasted after the command.
TEST_F(EverydayCommands, AmbiguousIdNamesTheStoreIfNothingElseDiffers) {
  for (const std::string which : {"x", "y"}) claude_in(home + "/" + which, kFirst, "/srv/" + which);
  const auto store = [&](const std::string& which) { return " --store claude-code:" + home + "/" + which; };
  EXPECT_EQ(sh("$H show aaaa" + store("x") + store("y")), 3);
  for (const std::string which : {"x", "y"}) {
    const std::string line = "claude-code/" + std::string(kFirst) + store(which);
    EXPECT_TRUE(has(err, "\n  " + line + "\n")) << err;
  }
  for (const std::string which : {"x", "y"}) {
    ASSERT_EQ(sh("$H show claude-code/" + std::string(kFirst) + store(which)), 0) << err;
    EXPECT_TRUE(has(out, "/srv/" + which)) << out;
  }
  // The same in the archive.
  for (const std::string which : {"x", "y"}) ASSERT_EQ(sh("$H archive run" + store(which)), 0) << err;
  ASSERT_EQ(sh("rm -r $HOME/x $HOME/y; $H show aaaa"), 3) << out;
  std::string line = err.substr(0, err.rfind('\n'));
  line.erase(0, line.rfind('\n') + 1);
  EXPECT_TRUE(line.starts_with("  claude-code/" + std::string(kFirst) + " --store ")) << err;
  EXPECT_EQ(sh("$H show " + line), 0) << err;
}

TEST_F(EverydayCommands, StandardOutputHasDataOnly) {
  claude_in(home + "/.claude", kFirst, "/srv/alpha");
  claude_in(home + "/.claude", kSecond, "/srv/alpha");
  EXPECT_EQ(sh("$H ls -n 1"), 0) << err;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2) << out << "a heading and a row";
  EXPECT_EQ(err, "2 in total; use --skip 1 for the next page, or -n 2 for all\n");
  EXPECT_EQ(sh("$H ls -a codex"), 1);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, "no sessions match\n");
  EXPECT_EQ(sh("$H search prompt"), 0) << err;
  EXPECT_FALSE(has(out, "hits")) << out;
  EXPECT_TRUE(has(err, "2 hits in 2 sessions; open one with holdfast show ID --at N\n")) << err;
  EXPECT_EQ(sh("$H search prompt --count"), 0) << err;
  EXPECT_EQ(out, "2\n");
  EXPECT_EQ(err, "2 hits in 2 sessions\n") << "no hit was shown that could be opened";
  EXPECT_EQ(sh("$H search nobodysaidit"), 1);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, "no messages match\n");
}

TEST_F(EverydayCommands, TextShowsLocalTimesAndJsonShowsUtc) {
  claude_in(home + "/.claude", kFirst, "/srv/alpha");
  EXPECT_EQ(sh("TZ=Asia/Tokyo $H ls"), 0) << err;
  EXPECT_TRUE(has(out, "2026-01-02 08:30")) << out;
  EXPECT_EQ(sh("TZ=Asia/Tokyo $H ls --json"), 0) << err;
  EXPECT_TRUE(has(out, "\"updated_at\":\"2026-01-01T23:30:00")) << out;
  EXPECT_EQ(sh("TZ=Asia/Tokyo $H show aaaa"), 0) << err;
  EXPECT_TRUE(has(out, "2026-01-02 08:30")) << out;
  EXPECT_EQ(sh("TZ=Asia/Tokyo $H search prompt"), 0) << err;
  EXPECT_TRUE(has(out, "2026-01-02 08:30")) << out;
  EXPECT_EQ(sh("TZ=Asia/Tokyo $H ls --since 2026-01-02"), 0) << "a day is a local one" << err;
  EXPECT_EQ(sh("TZ=UTC $H ls --since 2026-01-02"), 1);
}

// Of records, too, whatever their programs call the times.
TEST_F(EverydayCommands, TimesOfRecordsAreLocal) {
  ASSERT_EQ(sh("mkdir -p p/.lopen/sessions/auth-20260101-1 p/.claude && cd p && "
               "echo '{\"session_id\":\"auth-20260101-1\",\"phase\":\"Planning\",\"step\":\"BreakIntoTasks\","
               "\"module\":\"auth\",\"component\":null,\"created_at\":\"2026-01-01T23:30:00+00:00\","
               "\"updated_at\":\"2026-01-01T23:30:00+00:00\",\"is_complete\":false}' "
               "> .lopen/sessions/auth-20260101-1/state.json && "
               "echo '{\"name\":\"login\",\"status\":\"created\",\"lastUpdated\":\"2026-01-01T23:30:00Z\"}' "
               "> .claude/initiative.json && echo '{\"active\":null,\"history\":[{\"type\":\"APEX\","
               "\"started\":\"2026-01-01T23:30:00Z\",\"context\":\"x\",\"ended\":\"2026-01-01T23:30:00Z\","
               "\"end\":\"completed\"}]}' > .claude/workflow-state.json"),
            0);
  for (const char* const words : {"workflow get auth-20260101-1 --store lopen:.", "initiative get --store workflow:.",
                                  "workflow state --store workflow:."}) {
    ASSERT_EQ(sh("cd p && TZ=Asia/Tokyo $H " + std::string(words)), 0) << err;
    EXPECT_TRUE(has(out, "2026-01-02 08:30")) << words << "\n" << out;
    EXPECT_FALSE(has(out, "T23:30")) << words << "\n" << out;
  }
}

TEST_F(EverydayCommands, HelpListsCommonCommandsFirst) {
  EXPECT_EQ(sh("$H help"), 0);
  const std::size_t look = out.find("Look at sessions\n  ls "), repair = out.find("Repair\n  verify ");
  EXPECT_NE(look, std::string::npos) << out;
  EXPECT_LT(look, repair);
  EXPECT_NE(repair, std::string::npos) << out;
  for (const std::string command : {"show", "search", "pick", "resume", "stats", "export", "share"}) {
    const std::size_t at = out.find("\n  " + command + " ");
    EXPECT_TRUE(at > look && at < repair) << command;
  }
  EXPECT_FALSE(has(out, "\n  workflow ")) << "nouns are for agents";
  EXPECT_EQ(sh("$H help agents"), 0);
  EXPECT_TRUE(has(out, "\n  workflow ") && has(out, "\n  rpc ")) << out;
  EXPECT_EQ(sh("$H version"), 0);
  const std::string version = out;
  EXPECT_EQ(sh("$H --version"), 0);
  EXPECT_EQ(out, version);
}

TEST_F(EverydayCommands, VerifySummarizesNotesByKind) {
  const std::string path = home + "/.claude/projects/-srv-alpha/" + kFirst + ".jsonl";
  claude_in(home + "/.claude", kFirst, "/srv/alpha");
  std::ofstream(path, std::ios::app)
      << R"({"type":"assistant","uuid":"v","parentUuid":"u","sessionId":")" << kFirst
      << R"(","timestamp":"2026-01-01T23:31:00Z","message":{"id":"m","role":"assistant","model":"x","content":)"
      << R"([{"type":"tool_use","id":"t","name":"Bash","input":{}}]}})"
      << "\n";
  EXPECT_EQ(sh("$H verify"), 0) << err;
  EXPECT_TRUE(has(out, "no damage\n")) << out;
  EXPECT_TRUE(has(out, "1 note, no damage (--json lists them):\n       1  open_call")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
