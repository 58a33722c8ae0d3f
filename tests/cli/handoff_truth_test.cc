// What a hand-off reports is true: what is missing, how large it is, where it begins.
#include <set>

#include "tests/cli/handoff_home_testing.h"

namespace holdfast::inline v1 {
namespace {

struct HandoffAccuracy : HandoffHome {
  void SetUp() override {
    HandoffHome::SetUp();
    for (const std::string text : {"first", "second", "third"}) {
      add("user", "\"" + text + " prompt\"");
      add("assistant", R"([{"type":"text","text":"answer"}])");
    }
  }
  void add(const std::string& role, const std::string& content) {
    log += record("u" + std::to_string(n_), n_ == 0 ? "" : "u" + std::to_string(n_ - 1), role, content);
    ++n_;
  }
  std::string log;

 private:
  int n_ = 0;
};

TEST_F(HandoffAccuracy, ReportsDamageInSession) {
  // The second line is cut in the middle.
  log.replace(log.find("answer"), log.find('\n', log.find("answer")) - log.find("answer"), "");
  put_session(log);
  for (const std::string how : {" --to pi -o $HOME/o --dry-run", " --to pi -o $HOME/o", " --brief"}) {
    ASSERT_EQ(sh("$H handoff bbbb" + how), 0) << err;
    EXPECT_TRUE(err.contains("warning: ")) << how << err;
    EXPECT_TRUE(how.contains("brief") || out.contains("damaged place")) << how << out;
  }
  ASSERT_EQ(sh("$H handoff bbbb --to codex -o $HOME/o --dry-run --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("findings":[{"file":)") && out.contains(R"({"kind":"damaged places","count":1)")) << out;
}

// The session was just killed, or is running: nobody knows yet whether the line will be completed.
TEST_F(HandoffAccuracy, ReportsIncompleteLastLine) {
  put_session(log + R"({"type":"assistant","uuid":"u9","mess)");
  const std::string line = "1  incomplete record at the end: ";
  for (const std::string how : {" --dry-run", ""}) {
    ASSERT_EQ(sh("touch $HOME/.claude/projects/-proj/*.jsonl && $H handoff bbbb --to pi -o $HOME/o" + how), 0) << err;
    EXPECT_TRUE(out.contains(line)) << how << out;
  }
  ASSERT_EQ(sh("touch $HOME/.claude/projects/-proj/*.jsonl && $H show bbbb"), 0) << err;
  EXPECT_EQ(err, "") << "a running session is not damaged";
  ASSERT_EQ(sh("touch -d '1 hour ago' $HOME/.claude/projects/-proj/*.jsonl && $H handoff bbbb --to pi -o $HOME/o"), 0)
      << err;
  EXPECT_TRUE(out.contains("1  damaged place: ") && !out.contains(line)) << out;
}

TEST_F(HandoffAccuracy, FitLimitIncludesAddedText) {
  add("user", "\"run it\"");
  add("assistant", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}])");
  put_session(log);
  for (const std::string to : {"codex", "pi", "claude-code", "gemini"}) {
    for (int most = 10; most <= 200; most += 10) {
      const int done = sh("$H handoff bbbb --to " + to + " -o $HOME/o --dry-run --json --fit " + std::to_string(most));
      if (done != 0) {
        EXPECT_TRUE(err.contains("the last turn alone is about ")) << err;
        continue;
      }
      EXPECT_LE(std::stoi(field({"tokens_estimated"})), most) << to;
    }
    EXPECT_EQ(sh("$H handoff bbbb --to " + to + " -o $HOME/o --dry-run --fit 1000"), 0) << err;
  }
}

// The number that a refusal names suffices.
TEST_F(HandoffAccuracy, NamedFitIsAccepted) {
  add("user", "\"run it\"");
  add("assistant", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}])");
  put_session(log);
  for (const std::string to : {"codex", "pi", "claude-code", "gemini", "holdfast"}) {
    const std::string line = "$H handoff bbbb --to " + to + " --project $HOME/proj -o $HOME/o --dry-run --json --fit ";
    EXPECT_NE(sh(line + "5"), 0) << out;
    const std::string about = "the last turn alone is about ";
    ASSERT_TRUE(err.contains(about)) << err;
    const std::string least = std::to_string(std::stoi(err.substr(err.find(about) + about.size())));
    EXPECT_EQ(sh(line + least), 0) << to << " " << least << err;
    EXPECT_EQ(field({"tokens_estimated"}), least) << to;
  }
}

// Prompts that nothing was answered to count, too.
TEST_F(HandoffAccuracy, LastCountsEachPrompt) {
  add("user", "\"fourth prompt\"");
  add("user", "\"fifth prompt\"");
  add("assistant", R"([{"type":"text","text":"answer"}])");
  put_session(log);
  for (const auto& [last, first] : {std::pair("1", "fifth"), std::pair("2", "fourth"), std::pair("3", "third")}) {
    const std::string files = written("bbbb", "codex", std::string(" --last ") + last);
    EXPECT_TRUE(out.contains(std::string("       ") + last + "  prompt")) << last << out;
    EXPECT_TRUE(files.contains(std::string(first) + " prompt")) << last << files;
  }
  EXPECT_FALSE(written("bbbb", "codex", " --last 1").contains("fourth prompt")) << out;
  EXPECT_FALSE(written("bbbb", "codex", " --last 2").contains("third prompt")) << out;
}

TEST_F(HandoffAccuracy, RefusesUnknownStartMessage) {
  put_session(log);
  EXPECT_EQ(sh("$H handoff bbbb --to pi -o $HOME/o --from 5 --dry-run"), 0) << err;
  for (const char* const from : {"6", "99", "xyz"}) {
    EXPECT_EQ(sh("$H handoff bbbb --to pi --dry-run --from " + std::string(from)), 3) << out;
    EXPECT_TRUE(err.contains("there is no message " + std::string(from) + " to start from")) << err;
  }
}

TEST_F(HandoffAccuracy, PromptsThatLookLikeContextSurviveCodex) {
  const std::vector<std::string> typed = {
      R"(<environment_context>\nI typed this\n</environment_context>)", "<user_instructions>typed</user_instructions>",
      R"(# AGENTS.md instructions for /srv/p\n\nreview this)", "<turn_aborted> typed"};
  for (const std::string& text : typed) {
    add("user", "\"" + text + "\"");
    add("assistant", R"([{"type":"text","text":"because"}])");
  }
  add("user", "\"run it\"");
  add("assistant", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat log"}},)"
                   R"({"type":"tool_use","id":"t2","name":"Bash","input":{"command":"cat b"}}])");
  add("user",
      R"([{"type":"tool_result","tool_use_id":"t1","content":"[This tool call failed.]\nprinted by a good command"}])");
  add("user", R"([{"type":"tool_result","tool_use_id":"t2","content":"Process exited with code 3\nsaid the log"}])");
  add("assistant", R"([{"type":"text","text":"done"}])");
  put_session(log);
  ASSERT_EQ(sh("$H handoff bbbb --to codex -o $HOME/o --json"), 0) << err;
  ASSERT_EQ(sh("$H ls --store codex:$HOME/o --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"user\":8")) << out;
  const JsonView first = (*JsonView(out).find("sessions").elements().begin()).value;
  const std::string made = first.find("id").as_string().value_or("");
  ASSERT_EQ(sh("$H handoff " + made + " --store codex:$HOME/o --to claude-code -o $HOME/back --json"), 0) << err;
  EXPECT_FALSE(out.contains("context that the agent added")) << out;
  ASSERT_EQ(sh("cat $(find $HOME/back -name '*.jsonl')"), 0) << err;
  for (const std::string& text : typed) EXPECT_TRUE(out.contains(text)) << text << out;
  EXPECT_TRUE(out.contains(R"([This tool call failed.]\nprinted by a good command)")) << out;
  EXPECT_TRUE(out.contains(R"(Process exited with code 3\nsaid the log)")) << out;
  EXPECT_FALSE(out.contains("\"is_error\":true") || out.contains("succeeded, whatever")) << out;
}

TEST_F(HandoffAccuracy, ReportsHalvesOfCharacters) {
  add("user", R"("whole \ud83d\ude00, and \ufffd, and \\ud800 typed")");
  add("assistant", R"([{"type":"text","text":"fine"}])");
  put_session(log);
  ASSERT_EQ(sh("$H handoff bbbb --to codex -o $HOME/new --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("half a character")) << out;
  add("user", R"("\ud800 lone")");
  add("assistant", R"([{"type":"text","text":"also \udc00"},{"type":"tool_use","id":"t1","name":"Bash","input":{}}])");
  add("user", R"([{"type":"tool_result","tool_use_id":"t1","content":"and \udc00 here"}])");
  put_session(log);
  for (const std::string to : {"codex", "gemini", "holdfast"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " -o $HOME/new --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains("3  texts with half a character: U+FFFD replaces it")) << to << out;
  }
}

// Nobody asked what the output of a lost call says.
TEST_F(HandoffAccuracy, OutputOfLostCallIsNotAPrompt) {
  add("user", R"([{"type":"tool_result","tool_use_id":"lost","content":"OUTPUT of a lost call"}])");
  add("assistant", R"([{"type":"text","text":"the end"}])");
  put_session(log);
  for (const std::string to : {"codex", "gemini"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --last 1 -o $HOME/" + to), 0) << err;
    EXPECT_TRUE(out.contains("       1  prompt\n") && out.contains("4  earlier turns: ")) << to << out;
    ASSERT_EQ(sh("find $HOME/" + to + " -type f -exec cat {} +"), 0) << err;
    EXPECT_TRUE(out.contains("third prompt") && out.contains("OUTPUT of a lost call")) << to << out;
    EXPECT_FALSE(out.contains("second prompt")) << to << out;
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " -o $HOME/new --dry-run"), 0) << err;
    EXPECT_TRUE(out.contains("       3  prompts\n")) << to << out;
    EXPECT_TRUE(out.contains("1  tool output whose call is missing: ")) << to << out;
  }
  ASSERT_EQ(sh("$H handoff bbbb --brief --last 1"), 0) << err;
  EXPECT_TRUE(out.contains(": 1 prompt, ") && out.contains("## Goal\n> third prompt\n")) << out;
  ASSERT_EQ(sh("$H handoff bbbb --brief"), 0) << err;
  EXPECT_TRUE(out.contains(": 3 prompts, ") && out.contains("## Goal\n> first prompt\n")) << out;
  EXPECT_FALSE(out.contains("OUTPUT")) << out;
  // What was handed off once is still no prompt.
  ASSERT_EQ(sh("$H handoff codex/@last --store codex:$HOME/codex --brief"), 0) << err;
  EXPECT_TRUE(out.contains(": 1 prompt, ") && !out.contains("OUTPUT")) << out;
}

// Models take names of 64 letters, digits, _ and - at most.
TEST_F(HandoffAccuracy, ToolNamesThatModelsRefuseStayDistinct) {
  const std::string start(64, 's');
  std::string calls = record("u0", "", "user", "\"go\"");
  std::vector<std::string> names = {start + "_one", start + "_two", "files.read", "files_read", "files read"};
  int n = 0;
  for (const std::string& name : names) {
    const std::string before = n == 0 ? "u0" : "r" + std::to_string(n - 1), at = std::to_string(n++);
    calls +=
        record("c" + at, before, "assistant",
               R"([{"type":"tool_use","id":"t)" + at + R"(","name":")" + name + R"(","input":{}}])") +
        record("r" + at, "c" + at, "user", R"([{"type":"tool_result","tool_use_id":"t)" + at + R"(","content":"ok"}])");
  }
  put_session(calls);
  for (const std::string to : {"codex", "pi", "claude-code"}) {
    for (const std::string more : {"", " --tools keep"}) {
      const std::string files = written("bbbb", to, more);
      EXPECT_TRUE(out.contains("       4  names of tools: models accept only ")) << to << out;
      std::set<std::string> found;
      for (std::size_t at = files.find(R"("name":")"); at != std::string::npos;
           at = files.find(R"("name":")", at + 1)) {
        const std::size_t begin = at + 8;
        found.insert(files.substr(begin, files.find('"', begin) - begin));
      }
      for (const std::string& name : found) EXPECT_LE(name.size(), 64U) << name;
      EXPECT_EQ(
          std::erase_if(found, [](const std::string& name) { return name.starts_with("s") || name.starts_with("f"); }),
          5U)
          << to << files;
      EXPECT_TRUE(files.contains(R"("name":"files_read",)")) << to << files;
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
