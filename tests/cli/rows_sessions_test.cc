// What the Open Agent SDK's seed requires of sessions and their messages, in its layout and in Holdfast's own, through
// the command line (rows O02 to O16); the files of its layout are in rows_open_agent_test.cc.
#include "tests/cli/cli_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Sessions : CliHome, testing::WithParamInterface<const char*> {
  void SetUp() override {
    CliHome::SetUp();
    ASSERT_EQ(sh("$H store create" + store()), 0) << err;
    id = create();
  }
  bool native() const { return std::string_view(GetParam()) == "holdfast"; }
  std::string address() const { return std::string(GetParam()) + ":" + home + "/oa"; }
  std::string store() const { return " --store " + address(); }
  int hf(const std::string& words) { return sh("$H " + words + store()); }
  std::string create(const std::string& more = {}) {
    EXPECT_EQ(hf("session create --project /home/me/p --json " + more), 0) << err;
    return field({"id"});
  }
  // Appends a message given as JSON; returns its id.
  std::string append(const std::string& message, const std::string& session = {}) {
    std::ofstream(home + "/message") << R"({"session":")" << (session.empty() ? id : session) << R"(","message":)"
                                     << message << "}";
    EXPECT_EQ(hf("call message.append @$HOME/message"), 0) << err;
    return field({"id"});
  }
  std::string say(const std::string& role, const std::string& words) {
    return append(R"({"role":")" + role + R"(","text":")" + words + "\"}");
  }
  JsonView listed(const std::string& more = {}) {
    EXPECT_EQ(hf("message list " + id + " --json " + more), 0) << err;
    return JsonView(out).find("messages");
  }
  std::string texts(const std::string& more = {}) {
    std::string all;
    for (const JsonItem& message : listed(more).elements())
      for (const JsonItem& block : message.value.find("blocks").elements())
        all += block.value.find("text").as_string().value_or("") + "|";
    return all;
  }
  // Every file and its hash, except for locks.
  std::string picture() {
    EXPECT_EQ(sh("cd $HOME/oa && find . -type f -not -path '*lock*' | sort | xargs md5sum"), 0) << err;
    return out;
  }
  std::string id;
};

TEST_P(Sessions, O02_UnchangedSaveWritesNothing) {
  say("user", "hello");
  ASSERT_EQ(hf("session update " + id + " --title Same"), 0) << err;
  const std::string before = picture();
  EXPECT_EQ(hf("session update " + id + " --title Same"), 0) << err;
  EXPECT_EQ(picture(), before);
  EXPECT_EQ(hf("session update " + id + " --title Other"), 0) << err;
  EXPECT_NE(picture(), before);
  EXPECT_EQ(texts(), "hello|");
}

TEST_P(Sessions, O04_MessagesHaveTimeModelUsageAndStopReason) {
  say("user", "hello");
  append(R"({"role":"assistant","text":"done","model":"gpt-4o","stop_reason":"end_turn",)"
         R"("usage":{"input_tokens":10,"output_tokens":3}})");
  append(R"({"role":"assistant","text":"more","model":"gpt-5","stopReason":"tool_use",)"
         R"("usage":{"inputTokens":20,"outputTokens":4}})");
  std::string models;
  for (const JsonItem& message : listed().elements()) {
    const std::string time = message.value.find("timestamp").as_string().value_or("");
    EXPECT_TRUE(time.size() == 24 && time[10] == 'T' && time.ends_with('Z')) << time;
    models += std::string(message.value.find("model").raw()) + std::string(message.value.find("stop_reason").raw()) +
              std::string(message.value.find("usage").find("output").raw()) + " ";
  }
  EXPECT_EQ(models, R"(nullnull "gpt-4o""end_turn"3 "gpt-5""tool_use"4 )");
  EXPECT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("1 prompt, 2 answers · 7 tokens out")) << out;
  EXPECT_TRUE(out.contains("\ngpt-4o  [1] ") && out.contains(" · 3 out\n    done\n")) << out;
  EXPECT_TRUE(out.contains("\ngpt-5  [2] ") && out.contains(" · 4 out\n    more\n")) << out;
}

TEST_P(Sessions, O07_ListFollowsTheFilesOnDisk) {
  say("user", "hello");
  const std::string other = create("--title Second");
  const std::string first = id;
  id = other;
  say("user", "second");
  ASSERT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(first) && out.contains(other)) << out;
  // Another program takes away a session that has ended and brings it back; no index is involved.
  ASSERT_EQ(hf("session end " + other), 0) << err;
  const std::string log =
      native() ? "$HOME/oa/projects/*/sessions/" + other : "$HOME/oa/projects/*/" + other + ".jsonl";
  ASSERT_EQ(sh("dirname " + log + " > $HOME/was && mv " + log + " $HOME/away"), 0) << err;
  ASSERT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(first) && !out.contains(other)) << out;
  ASSERT_EQ(sh("mv $HOME/away $(cat $HOME/was)/" + other + (native() ? "" : ".jsonl")), 0) << err;
  ASSERT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(first) && out.contains(other) && out.contains("Second")) << out;
}

TEST_P(Sessions, O10_BranchesLeafAndForkFromAnyMessage) {
  say("user", "question");
  const std::string answer = say("assistant", "answer");
  const std::string old = say("user", "one way");
  const std::string now = append(R"({"role":"user","text":"another way","parent":")" + answer + "\"}");
  EXPECT_EQ(texts(), "question|answer|another way|");
  EXPECT_EQ(texts("--branch all"), "question|answer|one way|another way|");
  EXPECT_EQ(texts("--branch " + old), "question|answer|one way|");
  EXPECT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("    another way\n") && !out.contains("one way\n")) << out;
  EXPECT_EQ(hf("session update " + id + " --leaf " + old), 0) << err;
  EXPECT_EQ(texts(), "question|answer|one way|");
  say("assistant", "went on");
  EXPECT_EQ(texts(), "question|answer|one way|went on|") << "what comes next follows the leaf";
  EXPECT_EQ(hf("session update " + id + " --leaf nobody"), 2) << out;
  EXPECT_TRUE(err.contains("has no message nobody")) << err;
  const std::string source = id;
  EXPECT_EQ(hf("session fork " + id + " " + answer + " --json"), 0) << err;
  id = field({"id"});
  EXPECT_NE(id, source);
  EXPECT_EQ(texts(), "question|answer|");
  EXPECT_EQ(hf("session fork " + source + " " + now + " --json"), 0) << err;
  id = field({"id"});
  EXPECT_EQ(texts(), "question|answer|another way|") << "from a branch that is not active";
}

TEST_P(Sessions, O11_MessagesKeepTheirContext) {
  append(R"({"role":"user","text":"x","context":{"cwd":"/home/me/p/sub","git_branch":"feature",)"
         R"("permission_mode":"plan","version":"1.2.3","user_type":"external"}})");
  say("user", "y");
  std::string contexts;
  for (const JsonItem& message : listed().elements())
    contexts += std::string(message.value.find("context").raw()) + ";";
  EXPECT_EQ(contexts, R"({"cwd":"/home/me/p/sub","git_branch":"feature","permission_mode":"plan","version":"1.2.3",)"
                      R"("user_type":"external"};;)");
}

TEST_P(Sessions, O12_ProgressHasToolTextAndFraction) {
  append(R"({"role":"assistant","blocks":[{"type":"tool_call","id":"call_1","name":"Bash","input":{}}]})");
  append(R"({"role":"system","origin":"notice","blocks":[{"type":"other","raw":)"
         R"({"type":"progress","tool_use_id":"call_1","text":"compiling","fraction":0.25}}]})");
  EXPECT_EQ(hf("show " + id), 0) << err;
  EXPECT_FALSE(out.contains("compiling")) << "no part of what was said: " << out;
  EXPECT_EQ(hf("show --context " + id), 0) << err;
  EXPECT_TRUE(out.contains("call_1") && out.contains("compiling") && out.contains("0.25")) << out;
  EXPECT_EQ(hf("session get " + id + " --json"), 0) << err;
  EXPECT_EQ(field({"session", "counts", "tool_calls"}), "1") << out;
  EXPECT_EQ(field({"session", "counts", "user"}), "0") << out;
}

TEST_P(Sessions, O13_LargeToolResultIsReadBackCompletely) {
  const std::string large = std::string(20'000, 'a') + " the needle " + std::string(300'000, 'b');
  append(R"({"role":"assistant","blocks":[{"type":"tool_call","id":"toolu_1","name":"Bash","input":{}}]})");
  append(R"({"role":"tool","blocks":[{"type":"tool_result","id":"toolu_1","output":")" + large + "\"}]}");
  EXPECT_EQ(sh("grep -rl 'the needle' --include=*.jsonl $HOME/oa/projects"), 1) << "the log does not have it: " << out;
  std::string output;
  for (const JsonItem& block : JsonView(listed("--last 1").elements().begin()->value).find("blocks").elements())
    output += block.value.find("output").as_string().value_or("");
  EXPECT_TRUE(output == large) << output.size();
  EXPECT_EQ(hf("search 'the needle'"), 0) << err;
  EXPECT_TRUE(err.contains("1 hit in 1 session")) << err;
  EXPECT_TRUE(out.contains(" the needle ")) << out;
  EXPECT_EQ(hf("export " + id + " --format md"), 0) << err;
  EXPECT_TRUE(out.contains("the needle")) << out.substr(0, 500);
}

TEST_P(Sessions, O15_MemoryBelongsToItsProject) {
  ASSERT_EQ(hf("memory put MEMORY --project /home/me/p --body '# Use tabs'"), 0) << err;
  EXPECT_EQ(hf("memory get MEMORY --project /home/me/p"), 0) << err;
  EXPECT_TRUE(out.contains("# Use tabs")) << out;
  EXPECT_EQ(hf("memory get MEMORY --project /home/me/other"), 3) << out;
  EXPECT_TRUE(err.contains("there is no memory MEMORY")) << err;
  EXPECT_EQ(hf("memory list --project /home/me/p"), 0) << err;
  EXPECT_EQ(out, "id      body\nMEMORY  # Use tabs\n");
  EXPECT_EQ(hf("session list"), 0) << err;
  EXPECT_FALSE(out.contains("MEMORY")) << out;
}

TEST_P(Sessions, O16_CompactionKeepsTheOriginals) {
  say("user", "first question");
  say("assistant", "long answer");
  ASSERT_EQ(hf("session compact " + id + " --summary 'we spoke'"), 0) << err;
  say("user", "and then");
  EXPECT_EQ(hf("show " + id), 0) << err;
  EXPECT_TRUE(out.contains("\nsummary  [3]") && out.contains("we spoke\n") && out.contains("    and then\n")) << out;
  EXPECT_FALSE(out.contains("long answer")) << out;
  EXPECT_EQ(hf("show " + id + " --branch all"), 0) << err;
  EXPECT_TRUE(out.contains("    first question\n") && out.contains("    long answer\n")) << out;
  EXPECT_EQ(hf("search 'long answer'"), 0) << out;
}

// Reading only the end of a session is fast, and reports nothing false about the rest.
TEST_P(Sessions, O16_ResumeReturnsTheSameSessionData) {
  say("user", "first question");
  say("assistant", "answer");
  say("user", "last question");
  EXPECT_EQ(hf("session resume " + id + " --last 1"), 0) << err;
  EXPECT_TRUE(out.contains("first_prompt: first question\n")) << out;
  EXPECT_TRUE(out.contains("counts.user: 2\n")) << out;
  EXPECT_TRUE(out.contains("last question") && !out.contains("answer\n")) << out;
  ASSERT_EQ(hf("session compact " + id + " --summary 'we spoke'"), 0) << err;
  EXPECT_EQ(hf("session get " + id + " --json"), 0) << err;
  const std::string got = field({"session"});
  EXPECT_EQ(hf("session resume " + id + " --json"), 0) << err;
  EXPECT_EQ(field({"session"}), got);
  RpcProcess door(home, {"--store", address()});
  const std::string answer = door.ask("session.resume", R"({"id":")" + id + R"(","last":1})");
  EXPECT_TRUE(JsonView(answer).find("result").find("session").find("first_prompt").is_string("first question"))
      << answer;
}

INSTANTIATE_TEST_SUITE_P(Rows, Sessions, testing::Values("open-agent", "holdfast"), [](const auto& test) {
  return std::string(test.param) == "holdfast" ? "holdfast" : "open_agent";
});

}  // namespace
}  // namespace holdfast::inline v1
