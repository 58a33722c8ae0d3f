// A session is handed to another agent on the command line.
#include <map>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct HandoffCommand : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    fs::create_directories(home + "/.codex/sessions/2020/01/01");
    fs::create_directories(home + "/proj");
    put(".codex/config.toml", "model = \"m\"\n");
    put(".codex/sessions/2020/01/01/rollout-2020-01-01T00-00-00-" + id + ".jsonl", "{\"theirs\":1}\n");
    const std::string common =
        R"("sessionId":")" + id + R"(","cwd":")" + home + R"(/proj","timestamp":"2026-01-01T00:00:00Z")";
    put(".claude/projects/-proj/" + id + ".jsonl",
        R"({"type":"user","uuid":"u1","parentUuid":null,)" + common +
            R"(,"message":{"role":"user","content":"list it"}})"
            "\n"
            R"({"type":"assistant","uuid":"u2","parentUuid":"u1",)" +
            common +
            R"(,"message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"Listing."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}})"
            "\n"
            R"({"type":"user","uuid":"u3","parentUuid":"u2",)" +
            common +
            R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a b","is_error":true}]}})"
            "\n");
  }
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  std::string element(std::string_view list, std::size_t number) {
    for (const JsonItem& item : JsonView(out).find(list).elements())
      if (number-- == 0) return item.value.as_string().value_or("");
    return {};
  }
  std::map<std::string, std::string> files_below(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }
  const std::string id = "bbbbbbbb-0000-4000-8000-000000000001";
};

TEST_F(HandoffCommand, WritesOneNewSessionAndNothingElse) {
  const auto before = files_below(".codex");
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("nothing was written")) << out;
  EXPECT_EQ(files_below(".codex"), before);
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --json"), 0) << err;
  const std::string made = field({"id"}), file = field({"file"});
  EXPECT_EQ(element("resume", 0) + " " + element("resume", 1) + " " + element("resume", 2), "codex resume " + made);
  EXPECT_EQ(field({"directory"}), home + "/proj");
  auto after = files_below(".codex");
  EXPECT_EQ(after.size(), before.size() + 1);
  EXPECT_EQ(after.erase(file), 1u);
  EXPECT_EQ(after, before);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(sh("$H show " + made + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("exec_command")) << out;
  EXPECT_TRUE(out.contains("\"is_error\":true")) << out;
}

TEST_F(HandoffCommand, RoundTripKeepsToolCalls) {
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --json"), 0) << err;
  ASSERT_EQ(sh("$H handoff " + field({"id"}) + " --to claude-code --json"), 0) << err;
  const std::string back = field({"file"});
  std::ifstream file(back);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(text.contains(R"("name":"Bash","input":{"command":"ls"})")) << text;
  EXPECT_TRUE(text.contains(R"("content":"a b","is_error":true)")) << text;
}

TEST_F(HandoffCommand, ResumeInAnotherAgentRunsIt) {
  put("bin/codex", "#!/bin/sh\npwd > $HOME/ran\nfor word; do echo \"<$word>\" >> $HOME/ran; done\nexit 7\n");
  fs::permissions(home + "/bin/codex", fs::perms::owner_all);
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H resume claude-code/" + id + " --in codex"), 7) << err;
  EXPECT_TRUE(err.contains("new session for codex")) << err;
  EXPECT_EQ(out, "");
  EXPECT_TRUE(text("ran").starts_with(home + "/proj\n<resume>\n<")) << text("ran");
  const auto before = files_below(".codex");
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H resume claude-code/" + id + " --in codex --last 1 --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("nothing was written")) << out;
  EXPECT_EQ(files_below(".codex"), before);
  EXPECT_EQ(sh("$H resume claude-code/" + id + " --in codex --print"), 0) << err;
  EXPECT_TRUE(out.starts_with("cd " + home + "/proj && codex resume ")) << out;
  EXPECT_EQ(sh("$H resume claude-code/" + id + " --last 1"), 2);
  EXPECT_EQ(sh("$H resume claude-code/" + id + " --in nobody"), 2);
}

// Sub-agents have their own files here: the report counts them, and each is handed off by its own id.
TEST_F(HandoffCommand, ReportsSubAgentsLeftBehind) {
  const auto left = [&] {
    std::string all;
    for (const JsonItem& line : JsonView(out).find("left_behind").elements())
      all +=
          std::string(line.value.find("count").raw()) + " " + line.value.find("kind").as_string().value_or("") + "\n";
    return all;
  };
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --dry-run --json"), 0) << err;
  EXPECT_FALSE(left().contains("sub-agents")) << left();
  for (const std::string agent : {"a111", "a222"})
    put(".claude/projects/-proj/" + id + "/subagents/agent-" + agent + ".jsonl",
        R"({"type":"user","uuid":"s1","parentUuid":null,"isSidechain":true,"agentId":")" + agent +
            R"(","sessionId":")" + id + R"(","cwd":")" + home +
            R"(/proj","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"a task of )" + agent +
            "\"}}\n");
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --json"), 0) << err;
  EXPECT_TRUE(left().contains("2 sub-agents\n")) << left();
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex"), 0) << err;
  EXPECT_TRUE(out.contains("2  sub-agents: their answers are the results of their calls")) << out;
  ASSERT_EQ(sh("$H handoff a222 --to codex --json"), 0) << err;
  ASSERT_EQ(sh("$H show " + field({"id"}) + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("a task of a222")) << out;
}

// The messages keep their times; the session gets the current time, so that whoever made it finds it first.
TEST_F(HandoffCommand, NewSessionIsListedFirst) {
  for (const std::string root : {".codex", ".claude", ".gemini", ".qwen", ".copilot", ".pi/agent"})
    fs::create_directories(home + "/" + root);
  for (const std::string to : {"claude-code", "codex", "gemini", "qwen", "copilot", "pi", "holdfast"}) {
    ASSERT_EQ(sh("sleep 0.01; $H handoff claude-code/" + id + " --to " + to + " --json"), 0) << to << err;
    const std::string made = field({"id"});
    ASSERT_EQ(sh("$H ls -n 1 --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"id\":\"" + made + "\"")) << to << out;
    ASSERT_EQ(sh("$H show @last --json"), 0) << err;
    EXPECT_EQ(field({"session", "id"}), made) << to;
    std::string first;
    for (const JsonItem& message : JsonView(out).find("messages").elements())
      if (first.empty() && message.value.find("role").is_string("user"))
        first = message.value.find("timestamp").as_string().value_or("");
    EXPECT_TRUE(first.starts_with("2026-01-01T00:00:00") || first == "1767225600000") << to << first;
  }
}

TEST_F(HandoffCommand, BriefIsMarkdown) {
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --brief"), 0) << err;
  EXPECT_TRUE(out.contains("## Goal\n> list it")) << out;
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --brief -o brief.md && cat brief.md"), 0) << err;
  EXPECT_TRUE(out.contains("## Goal\n> list it")) << out;
  EXPECT_NE(sh("$H handoff claude-code/" + id + " --brief -o brief.md"), 0);
}

TEST_F(HandoffCommand, ReportsMissingTargetOrDirectory) {
  EXPECT_EQ(sh("$H handoff claude-code/" + id), 2);
  EXPECT_EQ(sh("$H handoff claude-code/" + id + " --to nobody"), 2);
  EXPECT_EQ(sh("$H handoff claude-code/" + id + " --to pi"), 3);
  EXPECT_TRUE(err.contains("there is no directory for pi here")) << err;
  fs::remove_all(home + "/proj");
  EXPECT_EQ(sh("$H handoff claude-code/" + id + " --to codex"), 3);
  EXPECT_TRUE(err.contains("name another one with --project")) << err;
  fs::create_directories(home + "/.pi/agent");
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to pi --project . --json"), 0) << err;
  std::ofstream(home + "/a-file") << "x";
  for (const std::string where : {"/nowhere", "/a-file"}) {
    EXPECT_NE(sh("$H handoff claude-code/" + id + " --to gemini --project $HOME" + where), 0) << out;
    const std::string said = err;
    EXPECT_NE(sh("$H handoff claude-code/" + id + " --to gemini --project $HOME" + where + " -o $HOME/not"), 0) << out;
    EXPECT_EQ(err, said) << "also with -o";
    EXPECT_FALSE(fs::exists(home + "/not"));
  }
  // The directory of the session does not exist; it may be on another machine.
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to gemini -o out --json"), 0) << err;
  EXPECT_TRUE(fs::exists(field({"file"})));
  for (const std::string to : {"qwen", "gemini", "copilot"}) {
    ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to " + to + " -o out"), 0) << err;
    EXPECT_TRUE(out.contains("\nNo command continues it there: " + to + " finds only sessions in its own folder\n"))
        << out;
  }
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex -o out"), 0) << err;
  EXPECT_TRUE(out.contains("\nContinue with\n") && !out.contains("No command")) << out;
}

TEST_F(HandoffCommand, ArchivedSessionMustBeRestoredBeforeResume) {
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  fs::remove_all(home + "/.claude/projects/-proj");
  for (const std::string how : {"", " --print", " --json"}) {
    EXPECT_NE(sh("$H resume claude-code/" + id + how), 0) << out;
    EXPECT_EQ(out, "");
    EXPECT_TRUE(err.contains("holdfast restore")) << err;
  }
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to codex --json"), 0) << err;
  ASSERT_EQ(sh("$H show " + field({"id"}) + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("Listing.")) << out;
}

TEST_F(HandoffCommand, AcceptsAgentNamesAndAliases) {
  for (const std::string name : {"claude", "Claude", "\"claude code\"", "codex"}) {
    ASSERT_EQ(sh("$H handoff claude-code/" + id + " --dry-run --json --to " + name), 0) << name << err;
    ASSERT_EQ(sh("$H resume claude-code/" + id + " --dry-run --json --in " + name), 0) << name << err;
  }
  EXPECT_EQ(field({"to"}), "codex") << out;
  EXPECT_EQ(sh("$H handoff claude-code/" + id + " --dry-run --to nobody"), 2) << out;
  EXPECT_TRUE(err.contains("claude-code")) << err;
}

TEST_F(HandoffCommand, PrintReportsNewSession) {
  ASSERT_EQ(sh("$H resume claude-code/" + id + " --in codex --print"), 0) << err;
  EXPECT_TRUE(err.contains("new session for codex")) << err;
  EXPECT_EQ(sh("$H handoff claude-code/" + id + " --to codex --project " + home + "/nowhere"), 3);
  EXPECT_TRUE(err.contains("the directory to continue in does not exist")) << err;
}

TEST_F(HandoffCommand, HandsOffIntoNativeStore) {
  ASSERT_EQ(sh("$H handoff claude-code/" + id + " --to holdfast --json"), 0) << err;
  ASSERT_EQ(sh("$H show " + field({"id"}) + " --json"), 0) << err;
  EXPECT_TRUE(out.contains("handed_off_from")) << out;
  EXPECT_TRUE(out.contains("Listing.")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
