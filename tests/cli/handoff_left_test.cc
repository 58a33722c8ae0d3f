// A hand-off reports what it leaves behind, and does not begin what cannot be continued.
#include "tests/cli/handoff_home_testing.h"
#include "tests/cli/ordinary_user_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct HandoffOmissions : HandoffHome {
  std::size_t sessions_below(const std::string& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home + "/" + folder)) count += entry.is_regular_file();
    return count;
  }
};

TEST_F(HandoffOmissions, ReportsMessagesOfOtherBranches) {
  // The first answer was retried.
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "first try") +
              record("u2", "a1", "user", "\"more\"") + answer("a2", "u2", "more of it") +
              answer("b1", "u1", "second try"));
  const std::string command = "holdfast show claude-code/" + id + " --branch all";
  ASSERT_EQ(sh("$H handoff bbbb --to pi --project $HOME/proj -o $HOME/o"), 0) << err;
  EXPECT_TRUE(out.contains("3  messages of other branches: only the active branch is carried over; run " + command))
      << out;
  ASSERT_EQ(sh("$H handoff bbbb --to pi -o $HOME/o --dry-run --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"kind":"messages of other branches","count":3)")) << out;
  ASSERT_EQ(sh("$H show bbbb"), 0) << err;
  EXPECT_TRUE(out.contains("second try") && !out.contains("first try")) << out;
  EXPECT_EQ(err, "warning: 3 messages of other branches, or replaced by a compaction, not shown; run " + command +
                     " to show all\n");
  ASSERT_EQ(sh("$H show bbbb --branch all"), 0) << err;
  EXPECT_TRUE(out.contains("first try") && err.empty()) << out << err;
  ASSERT_EQ(sh("$H export bbbb"), 0) << err;
  EXPECT_TRUE(err.starts_with("warning: 3 messages of other branches")) << err;
}

// A large session is handed off while it is read.
TEST_F(HandoffOmissions, ReportsOtherBranchesOfLargeSession) {
  std::string log = record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "first try");
  log += answer("b1", "u1", "second try");
  std::string last = "b1";
  for (int n = 0; n < 10; ++n) {
    const std::string name = "c" + std::to_string(n);
    log += answer(name, last, std::string(1'000'000, 'x'));
    last = name;
  }
  put_session(log);
  ASSERT_EQ(sh("$H show bbbb > /dev/null"), 0) << err;
  EXPECT_TRUE(err.contains("warning: one message of other branches") || err.contains("warning: 1 message of other"))
      << err;
  ASSERT_EQ(sh("$H handoff bbbb --to pi -o $HOME/o --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("1  message of another branch: ")) << out;
}

TEST_F(HandoffOmissions, ReportsNothingForSingleBranch) {
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "done"));
  ASSERT_EQ(sh("$H show bbbb"), 0) << err;
  EXPECT_EQ(err, "");
  ASSERT_EQ(sh("$H handoff bbbb --to pi -o $HOME/o --dry-run"), 0) << err;
  EXPECT_FALSE(out.contains("other branches")) << out;
}

TEST_F(HandoffOmissions, ResumeWritesNothingIfAgentIsNotInstalled) {
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "done"));
  fs::create_directories(home + "/.codex/sessions");
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(sh("PATH=/nowhere:$HOME/bin $H resume bbbb --in codex --yes"), 2) << out;
    EXPECT_TRUE(err.contains("codex is not installed, or not in $PATH; nothing was written; run holdfast handoff"))
        << err;
  }
  // A folder of that name, or a file that is not executable, is not a program.
  fs::create_directories(home + "/bin/codex");
  EXPECT_EQ(sh("PATH=$HOME/bin $H resume bbbb --in codex"), 2) << out;
  fs::remove(home + "/bin/codex");
  put("bin/codex", "#!/bin/sh\n");
  EXPECT_EQ(sh("PATH=$HOME/bin $H resume bbbb --in codex"), 2) << out;
  EXPECT_EQ(sh("PATH=/nowhere $H resume bbbb --in codex --dry-run"), 2) << out;
  EXPECT_TRUE(err.contains("codex is not installed, or not in $PATH; nothing was written; run holdfast handoff") &&
              !err.contains("--dry-run"))
      << err;
  EXPECT_EQ(sessions_below(".codex"), 0u);
  // A command that does not work here yet is printed with a warning.
  const std::string warning = "warning: codex is not installed, or not in $PATH\n";
  EXPECT_EQ(sh("PATH=/nowhere $H resume bbbb --in codex --print"), 0) << err;
  EXPECT_TRUE(out.contains("codex resume ") && err.ends_with(warning)) << out << err;
  EXPECT_EQ(sh("PATH=/nowhere $H handoff bbbb --to codex"), 0) << err;
  EXPECT_TRUE(out.contains("codex resume ")) << out;
  EXPECT_EQ(err, warning);
  EXPECT_EQ(sh("PATH=/nowhere $H resume bbbb --print"), 0) << err;
  EXPECT_TRUE(err.ends_with("warning: claude is not installed, or not in $PATH\n")) << err;
  fs::permissions(home + "/bin/codex", fs::perms::owner_all);
  EXPECT_EQ(sh("PATH=$HOME/bin $H resume bbbb --in codex --dry-run"), 0) << err;
  EXPECT_EQ(sessions_below(".codex"), 2u);
  EXPECT_EQ(sh("PATH=/nowhere $H resume bbbb --in continue"), 2) << out;
  EXPECT_TRUE(err.contains("--in ") && !err.contains("installed")) << err;
}

// Commands are for the agent itself. A command that the model answered is a prompt, whoever wrote it.
TEST_F(HandoffOmissions, CommandsAreNotPrompts) {
  fs::create_directories(home + "/.codex/sessions");
  put_session(record("u1", "", "user", "\"fix it\"") + answer("a1", "u1", "fixed") +
              record("c1", "a1", "user", "\"<local-command-caveat>not for you</local-command-caveat>\"") +
              record("c2", "c1", "user", "\"<command-name>/model</command-name>\"") +
              record("c3", "c2", "user", "\"<local-command-stdout>now another</local-command-stdout>\"") +
              record("u2", "c3", "user", "\"again\"") + answer("a2", "u2", "done") +
              record("c4", "a2", "user", "\"<command-name>/review</command-name>\"") + answer("a3", "c4", "reviewed") +
              record("c5", "a3", "user", "\"<command-name>/exit</command-name>\""));
  ASSERT_EQ(sh("$H handoff bbbb --to codex"), 0) << err;
  EXPECT_TRUE(out.contains("3  prompts\n")) << out;
  EXPECT_TRUE(out.contains("4  commands and their output: meant for the agent itself")) << out;
  EXPECT_TRUE(out.contains("1  command that the model answered: carried as typed text")) << out;
  ASSERT_EQ(sh("$H show codex/@last"), 0) << err;
  EXPECT_TRUE(out.contains("again") && out.contains("/review") && !out.contains("/model") && !out.contains("/exit"))
      << out;
}

// The report says that it is carried as typed text, so the next session must have it as that, also in the same agent.
TEST_F(HandoffOmissions, AnsweredCommandIsTypedInTheSameAgent) {
  put_session(record("u1", "", "user", "\"<bash-input>ls</bash-input> in my words\"") + answer("a1", "u1", "it lists"));
  ASSERT_EQ(sh("$H show bbbb --json"), 0) << err;
  EXPECT_EQ(field({"session", "counts", "user"}), "0") << out;
  std::string from = "bbbb";
  for (int times = 0; times < 2; ++times) {
    ASSERT_EQ(sh("$H handoff " + from + " --to claude-code --json"), 0) << err;
    EXPECT_EQ(out.contains("commands that the model answered"), times == 0) << out;
    from = field({"id"});
    ASSERT_EQ(sh("$H show " + from + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "counts", "user"}), "1") << out;
    EXPECT_TRUE(out.contains(R"("text":"[The user typed:]\n<bash-input>ls</bash-input> in my words")")) << out;
  }
}

// The API itself called a server.
TEST_F(HandoffOmissions, CarriesCallsToServersOfTheApi) {
  put_session(record("u1", "", "user",
                     R"([{"type":"text","text":"look it up"},{"type":"document","source":{"type":"base64",)"
                     R"("media_type":"application/pdf","data":"JVBERi0xLjQ="}}])") +
              record("a1", "u1", "assistant",
                     R"([{"type":"mcp_tool_use","id":"m1","name":"lookup","server_name":"srv","input":{"q":"tusks"}},)"
                     R"({"type":"mcp_tool_result","tool_use_id":"m1","is_error":false,"content":[{"type":"text",)"
                     R"("text":"found by the server"}]},{"type":"text","text":"here it is"}])"));
  for (const std::string to : {"codex", "claude-code"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " -o $HOME/o-" + to), 0) << err;
    EXPECT_TRUE(out.contains("1  tool call\n") && out.contains("1  tool result\n")) << to << out;
    EXPECT_TRUE(out.contains(to == "codex" ? "1  document: a note replaces them" : "       1  document\n"))
        << to << out;
    ASSERT_EQ(sh("find $HOME/o-" + to + " -type f -exec cat {} +"), 0) << err;
    EXPECT_TRUE(out.contains("tusks") && out.contains("found by the server")) << to << out;
  }
  ASSERT_EQ(sh("$H show bbbb"), 0) << err;
  EXPECT_TRUE(out.contains("lookup") && out.contains("found by the server")) << out;
}

// Citations are in the texts of an answer, and refer to what the API found.
TEST_F(HandoffOmissions, ReportsCitationsAndSearches) {
  const std::string cited =
      R"([{"type":"web_search_result_location","url":"https://example.org/a","title":"Tusks","cited_text":"grey"},)"
      R"({"type":"web_search_result_location","url":"https://example.org/b","title":"Trunks","cited_text":"long"}])";
  put_session(
      record("u1", "", "user", "\"what colour?\"") +
      record("a1", "u1", "assistant",
             R"([{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"tusks","citations":[1]}},)"
             R"({"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result",)"
             R"("title":"Tusks","url":"https://example.org/a","encrypted_content":"RW5j"}]},)"
             R"({"type":"text","text":"They are "},{"type":"text","text":"grey","citations":)" +
                 cited + R"(},{"type":"text","text":".","citations":null}])"));
  for (const std::string to : {"codex", "claude-code", "pi"}) {
    EXPECT_FALSE(written("bbbb", to).contains("cited_text")) << to;
    EXPECT_TRUE(out.contains("2  citations: the documents and search results are in the original session\n"))
        << to << out;
    EXPECT_TRUE(out.contains("1  result of a web search: their titles and addresses are carried")) << to << out;
  }
  EXPECT_TRUE(written("bbbb", "holdfast").contains(R"("text":"grey","extra":{"citations":)" + cited + "}")) << out;
  EXPECT_TRUE(out.contains("       2  citations\n")) << out;
}

TEST_F(HandoffOmissions, SummaryIsNotUsedAsTitle) {
  put_session(
      record("u1", "", "user", R"("rename the parser\nand its tests")") + answer("a1", "u1", "done") +
      record("s1", "a1", "user", "\"This session is being continued: a summary\"", R"(,"isCompactSummary":true)") +
      record("u2", "s1", "user", "\"go on\"") + answer("a2", "u2", "gone on"));
  for (const std::string root : {".codex/sessions", ".gemini/tmp", ".copilot/session-state", ".pi/agent/sessions"})
    fs::create_directories(home + "/" + root);
  for (const std::string to : {"codex", "claude-code", "gemini", "copilot", "pi", "holdfast"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --json"), 0) << to << err;
    EXPECT_FALSE(out.contains(R"("kind":"title")")) << to << out;
    ASSERT_EQ(sh("$H ls --json --agent " + to + " -n 1"), 0) << to << err;
    EXPECT_TRUE(out.contains(R"("title":"rename the parser",)")) << to << out;
  }
}

TEST_F(HandoffOmissions, BriefOfCompactedSessionKeepsItsGoal) {
  put_session(
      record("u1", "", "user", "\"rename the parser\"") + answer("a1", "u1", "done") +
      record("s1", "a1", "user", "\"This session is being continued: a summary\"", R"(,"isCompactSummary":true)") +
      record("u2", "s1", "user", "\"go on\"") + answer("a2", "u2", "gone on"));
  ASSERT_EQ(sh("$H handoff bbbb --brief"), 0) << err;
  EXPECT_TRUE(out.contains(": 1 prompt since its agent summarized it, ")) << out;
  EXPECT_TRUE(
      out.contains("## Goal\n> rename the parser\n\n## Summary of what came before\n"
                   "> This session is being continued: a summary\n\n## Asked last\n> go on\n"))
      << out;
  ASSERT_EQ(sh("$H handoff bbbb --brief --from 0"), 0) << err;
  EXPECT_TRUE(out.contains(": 2 prompts, ") && out.contains("## Goal\n> rename the parser\n")) << out;
}

TEST_F(HandoffOmissions, BriefListsFilesAndTasksOfAnyAgent) {
  const auto call = [](const std::string& name, const std::string& input) {
    return R"([{"type":"tool_use","id":"t)" + name + R"(","name":")" + name + R"(","input":)" + input + "}]";
  };
  put_session(
      record("u1", "", "user", "\"do it\"") +
      record("a1", "u1", "assistant", call("Write", R"({"file_path":"notes.txt","content":"x"})")) +
      record("r1", "a1", "user", R"([{"type":"tool_result","tool_use_id":"tWrite","content":"done"}])") +
      record("a2", "r1", "assistant", call("TodoWrite", R"({"todos":[{"content":"write more","status":"pending"}]})")) +
      answer("a3", "a2", "done"));
  ASSERT_EQ(sh("$H handoff bbbb --to holdfast --json && $H handoff holdfast/@last --brief"), 0) << err;
  EXPECT_TRUE(out.contains("## Files changed\n- `notes.txt`\n")) << out;
  EXPECT_TRUE(out.contains("## Left to do\n- [ ] write more\n")) << out;

  const std::string other = "019e0000-0000-7000-8000-000000000001";
  const auto item = [](const std::string& payload) {
    return R"({"timestamp":"2026-01-02T00:00:00.000Z","type":"response_item","payload":)" + payload + "}\n";
  };
  put(".codex/sessions/2026/01/02/rollout-2026-01-02T00-00-00-" + other + ".jsonl",
      R"({"timestamp":"2026-01-02T00:00:00.000Z","type":"session_meta","payload":{"id":")" + other + R"(","cwd":")" +
          home + R"(/proj"}})" + "\n" +
          item(R"({"type":"message","role":"user","content":[{"type":"input_text","text":"patch it"}]})") +
          item(R"({"type":"custom_tool_call","name":"apply_patch","call_id":"c1",)"
               R"("input":"*** Begin Patch\n*** Add File: new.txt\n+x\n*** Update File: a.cc\n*** Move to: b.cc\n)"
               R"(*** End Patch\n*** Add File: no.txt"})") +
          item(R"({"type":"custom_tool_call_output","call_id":"c1","output":"Success."})") +
          item(R"({"type":"function_call","name":"shell","call_id":"c2","arguments":)"
               R"("{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Delete File: old.txt\\n*** End Patch\"]}"})") +
          item(R"({"type":"function_call_output","call_id":"c2","output":"Success."})"));
  ASSERT_EQ(sh("$H handoff codex/" + other + " --brief"), 0) << err;
  EXPECT_TRUE(out.contains("## Files changed\n- `old.txt`\n- `b.cc`\n- `a.cc`\n- `new.txt`\n")) << out;
  EXPECT_FALSE(out.contains("no.txt")) << out;
}

TEST_F(HandoffOmissions, BriefListsOnlyWritesThatWereDone) {
  const auto call = [](const std::string& of, const std::string& name, const std::string& input) {
    return R"([{"type":"tool_use","id":")" + of + R"(","name":")" + name + R"(","input":)" + input + "}]";
  };
  const auto result = [](const std::string& of, const std::string& more) {
    return R"([{"type":"tool_result","tool_use_id":")" + of + R"(","content":"said")" + more + "}]";
  };
  const std::string begun =
      record("u1", "", "user", "\"do it\"") +
      record("a1", "u1", "assistant", call("t1", "Write", R"({"file_path":"/refused","content":"x"})")) +
      record("r1", "a1", "user", result("t1", R"(,"is_error":true)")) +
      record("a2", "r1", "assistant", call("t2", "Write", R"({"file_path":"/a `b`\n# c\u001b[31m","content":"x"})")) +
      record("r2", "a2", "user", result("t2", "")) +
      record("a3", "r2", "assistant", call("t3", "Edit", R"({"file_path":"/lost","old_string":"x","new_string":"y"})"));
  const std::string unsure = "\n- `/lost` (its last write has no result: not known whether it was done)\n";
  const std::string done = "\n- `` /a `b`\\n# c\\u001b[31m ``\n";
  put_session(begun);
  ASSERT_EQ(sh("$H handoff bbbb --brief"), 0) << err;
  EXPECT_TRUE(out.contains("## Files changed" + unsure.substr(0, unsure.size() - 1) + done)) << out;
  EXPECT_FALSE(out.contains("/refused")) << out;
  const std::string stopped = "\nThe last call has no result: the session was interrupted while ";
  EXPECT_TRUE(out.ends_with(stopped + "`Edit` (`/lost`) was running, or it still runs.\n")) << out;
  ASSERT_EQ(sh("$H handoff bbbb --to holdfast && $H handoff holdfast/@last --brief"), 0) << err;
  EXPECT_TRUE(out.contains(unsure) && out.contains(stopped)) << "also after another hand-off: " << out;
  put_session(begun + record("r3", "a3", "user", result("t3", "")) +
              record("a4", "r3", "assistant", call("t4", "Bash", R"({"command":"sed -i s/a/b/ /etc/hosts"})")));
  ASSERT_EQ(sh("$H handoff bbbb --brief"), 0) << err;
  EXPECT_TRUE(out.contains("## Files changed\n- `/lost`" + done)) << out;
  EXPECT_TRUE(out.contains(stopped + "`Bash` (`sed -i s/a/b/ /etc/hosts`) was running")) << out;
  put_session(begun + answer("a4", "a3", "never mind"));
  ASSERT_EQ(sh("$H handoff bbbb --brief"), 0) << err;
  EXPECT_TRUE(out.contains(unsure) && !out.contains(stopped)) << out;
}

// Decision 31: reading follows links, writing does not.
TEST_F(HandoffOmissions, DoesNotWriteThroughLink) {
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "done"));
  fs::create_directories(home + "/elsewhere");
  fs::create_directories(home + "/.codex");
  fs::create_directory_symlink("../elsewhere", home + "/.codex/sessions");
  for (const std::string how : {"", " --dry-run"}) {
    EXPECT_EQ(sh("$H handoff bbbb --to codex" + how), 2) << how << out;
    EXPECT_TRUE(
        err.contains("a symbolic link to ../elsewhere is in the place of a folder, and nothing is written "
                     "through links (" +
                     home + "/.codex/sessions)"))
        << how << err;
  }
  EXPECT_TRUE(fs::is_empty(home + "/elsewhere"));
  // The directory that a person chose may be a link.
  fs::create_directory_symlink(home + "/elsewhere", home + "/link");
  EXPECT_EQ(sh("$H handoff bbbb --to codex -o $HOME/link"), 0) << err;
}

TEST_F(HandoffOmissions, RedactionCoversNamesIdsAndBranches) {
  const auto secret = [](const std::string& last) { return "ghp_0123456789abcdefghijABCDEFGHIJ01234" + last; };
  const std::string branch = R"(,"gitBranch":"br-)" + secret("1") + "\"";
  const auto call = [](const std::string& name, const std::string& tool) {
    return R"([{"type":"tool_use","id":")" + name + R"(","name":")" + tool + R"(","input":{}}])";
  };
  const auto result = [](const std::string& name, const std::string& text) {
    return R"([{"type":"tool_result","tool_use_id":")" + name + R"(","content":")" + text + "\"}]";
  };
  put_session(record("u1", "", "user", "\"go\"", branch) +
              record("a1", "u1", "assistant", call("toolu_" + secret("2"), "Bash"), branch) +
              record("r1", "a1", "user", result("toolu_" + secret("2"), "first output"), branch) +
              record("a2", "r1", "assistant", call("toolu_" + secret("3"), "mcp__" + secret("4")), branch) +
              record("r2", "a2", "user", result("toolu_" + secret("3"), "second output"), branch));
  for (const std::string to : {"claude-code", "codex", "gemini", "qwen", "pi", "copilot", "holdfast", "opencode"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --redact -o $HOME/o-" + to), 0) << to << err;
    ASSERT_EQ(sh("find $HOME/o-" + to + " -type f -exec cat {} +"), 0) << err;
    EXPECT_FALSE(out.contains("ghp_")) << to << out;
    EXPECT_TRUE(out.contains("first output") && out.contains("second output")) << to << out;
  }
  for (const std::string format : {"json", "md", "html"}) {
    ASSERT_EQ(sh("$H export bbbb --redact --format " + format), 0) << err;
    EXPECT_FALSE(out.contains("ghp_")) << format << out;
    EXPECT_TRUE(err.contains("secrets masked: GitHub token (3)")) << format << err;
  }
}

// Agents name the folder of a session after their working directory, which has no links in it.
TEST_F(HandoffOmissions, ContinuesInTheRealDirectory) {
  fs::remove(home + "/proj");
  fs::create_directories(home + "/real");
  fs::create_directory_symlink("real", home + "/proj");
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "done"));
  for (const std::string root : {".claude", ".gemini", ".qwen", ".codex"}) fs::create_directories(home + "/" + root);
  for (const std::string to : {"claude-code", "gemini", "qwen", "codex"}) {
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --json"), 0) << err;
    EXPECT_EQ(field({"project"}), home + "/real") << to;
    EXPECT_EQ(field({"directory"}), home + "/real") << to;
    const fs::path folder = fs::path(field({"file"})).parent_path();
    ASSERT_EQ(sh("$H handoff bbbb --to " + to + " --project $HOME/proj --json"), 0) << err;
    EXPECT_EQ(fs::path(field({"file"})).parent_path(), folder) << to;
  }
  ASSERT_EQ(sh("$H handoff bbbb --to claude-code -o $HOME/o --json"), 0) << err;
  EXPECT_EQ(field({"project"}), home + "/real");
}

TEST_F(HandoffOmissions, SaysWhyASessionCannotBeRead) {
  put_session(record("u1", "", "user", "\"list it\"") + answer("a1", "u1", "done"));
  const std::string log = home + "/.claude/projects/-proj/" + id + ".jsonl";
  ASSERT_EQ(sh("mkdir $HOME/.codex && " + give_home() + " && chmod 000 " + log), 0) << err;
  for (const std::string how : {" --to codex", " --to holdfast", " --brief"}) {
    EXPECT_EQ(sh(ordinary_holdfast() + "handoff " + id + how), 5) << how << out;
    EXPECT_TRUE(err.contains("Permission denied") && err.contains(log)) << how << err;
  }
}

TEST_F(HandoffOmissions, TypedPromptsSurviveRoundTrip) {
  const std::vector<std::string> typed = {"one",
                                          "<state_snapshot> is what?",
                                          "/etc",
                                          "? is what",
                                          "[Request interrupted by user]",
                                          "<task-notification> I typed",
                                          "<bash-input>typed</bash-input>",
                                          "Caveat: The messages below are mine",
                                          R"([The user typed:]\n/etc)"};
  fs::create_directories(home + "/.gemini/tmp");
  fs::create_directories(home + "/.claude/projects");
  ASSERT_EQ(sh("$H call session.create '{\"project\":\"'$HOME/proj'\"}'"), 0) << err;
  const std::string own = field({"id"});
  for (const std::string& text : typed)
    for (const std::string role : {"user", "assistant"})
      ASSERT_EQ(sh("$H call message.append '{\"session\":\"" + own + "\",\"role\":\"" + role + "\",\"text\":\"" + text +
                   "\"}'"),
                0)
          << err;
  for (const std::string to : {"gemini", "claude-code"}) {
    ASSERT_EQ(sh("$H handoff " + own + " --to " + to + " --json"), 0) << err;
    EXPECT_TRUE(out.contains(R"("kind":"prompts that look like commands or context")")) << out;
    const std::string made = field({"id"});
    ASSERT_EQ(sh("$H show " + made + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "counts", "user"}), std::to_string(typed.size())) << to << out;
    ASSERT_EQ(sh("$H handoff " + made + " --to holdfast --json"), 0) << err;
    EXPECT_FALSE(out.contains("its agent's summary replaces them")) << to << out;
    const std::string back = field({"id"});
    ASSERT_EQ(sh("$H show " + back + " --json"), 0) << err;
    for (const std::string& text : typed) EXPECT_TRUE(out.contains("\"text\":\"" + text + "\"")) << to << text << out;
    EXPECT_EQ(field({"session", "counts", "user"}), std::to_string(typed.size())) << to << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
