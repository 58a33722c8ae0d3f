// The files of the Open Agent SDK, row by row of the mission, as the command line leaves them; and its in-memory
// storage, which is in an installed header.
#include <holdfast/store.h>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "550e8400-e29b-41d4-a716-446655440000";
constexpr const char* kOther = "650e8400-e29b-41d4-a716-446655440000";
constexpr const char* kFolder = "oa/projects/-home-me-p/";

struct RowsOpenAgent : CliHome {
  std::string store() const { return " --store open-agent:" + home + "/oa"; }
  int hf(const std::string& words) { return sh("$H " + words + store()); }
  std::string log(const std::string& id = kId) const { return text(kFolder + id + ".jsonl"); }
  std::string index() const { return text(std::string(kFolder) + "sessions-index.json"); }
  std::string line(std::size_t number) const {
    std::string rest = log();
    while (number-- > 0) rest.erase(0, rest.find('\n') + 1);
    return rest.substr(0, rest.find('\n'));
  }
  void create(const std::string& more = {}, const std::string& id = kId) {
    ASSERT_EQ(sh("$H store create" + store()), 0) << err;
    ASSERT_EQ(hf("session create --project /home/me/p --model gpt-4o --provider openai --id " + id + " " + more), 0)
        << err;
  }
  void say(const std::string& words, const std::string& id = kId) {
    EXPECT_EQ(hf("message append " + id + " '" + words + "'"), 0) << err;
  }
  // Writes a file of the folder, as another program does.
  void put(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(home + "/" + kFolder);
    std::ofstream(home + "/" + kFolder + name) << bytes;
  }
  static std::string session_of_the_sdk(const std::string& id, const std::string& prompt) {
    return R"({"type":"session_header","id":")" + id +
           R"(","model":"m","provider":"p","createdAt":1794705192292,"updatedAt":1794705192295,"options":{}})"
           "\n"
           R"({"type":"user","uuid":"13fd8a85-0000-4000-8000-000000000000","session_id":")" +
           id + R"(","message":{"role":"user","content":")" + prompt + R"("},"parent_tool_use_id":null})" + "\n";
  }
};

TEST_F(RowsOpenAgent, O02_HeaderChangeLeavesMessagesUnchanged) {
  create("--metadata '{\"options\":{\"systemPrompt\":\"Be brief.\",\"maxTurns\":7}}'");
  say("hello");
  const std::string before = log();
  EXPECT_TRUE(before.starts_with(R"({"type":"session_header","id":"550e8400-e29b-41d4-a716-446655440000",)"
                                 R"("model":"gpt-4o","provider":"openai","createdAt":)"))
      << before;
  ASSERT_EQ(hf("session update " + std::string(kId) +
               " --title New --model gpt-5 --metadata '{\"options\":{\"maxTurns\":3}}'"),
            0)
      << err;
  EXPECT_EQ(log(), before) << "line 1 waits for the end";
  EXPECT_EQ(hf("session get " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("title: New\n")) << out;
  EXPECT_TRUE(out.contains("metadata.options.systemPrompt: Be brief.\n")) << out;
  EXPECT_TRUE(out.contains("metadata.options.maxTurns: 3\n")) << out;
  // The SDK continues to write meanwhile.
  const std::string foreign = R"({"type":"user","uuid":"u","message":{"role":"user","content":"meanwhile"}})";
  std::ofstream(home + "/" + kFolder + kId + ".jsonl", std::ios::app) << foreign << "\n";
  ASSERT_EQ(hf("session end " + std::string(kId)), 0) << err;
  EXPECT_TRUE(line(0).contains(R"("model":"gpt-5","provider":"openai",)")) << line(0);
  EXPECT_TRUE(line(0).contains(R"("systemPrompt":"Be brief.","maxTurns":3,"cwd":"/home/me/p"},"title":"New",)"))
      << line(0);
  const std::string after = log();
  EXPECT_EQ(after.substr(after.find('\n')), before.substr(before.find('\n')) + foreign + "\n");
}

TEST_F(RowsOpenAgent, O02_OptionsSurviveSaveByTheSdk) {
  create("--metadata '{\"options\":{\"systemPrompt\":\"Be brief.\"}}'");
  say("hello");
  std::string saved = session_of_the_sdk(kId, "hello");
  saved.replace(saved.find("1794705192295"), 13, "9794705192295");  // saved last, without the options
  put(std::string(kId) + ".jsonl", saved);
  EXPECT_EQ(hf("session get " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("metadata.options.systemPrompt: Be brief.\n")) << out;
  EXPECT_TRUE(out.contains("first_prompt: hello\n")) << out;
}

TEST_F(RowsOpenAgent, O02_SessionIsSavedAfterFailedStream) {
  create("--title Empty");
  EXPECT_FALSE(std::filesystem::exists(home + "/" + kFolder + kId + ".jsonl")) << "it begins with its first message";
  EXPECT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(kId) && out.contains("Empty")) << out;
  ASSERT_EQ(hf("session update " + std::string(kId) + " --status failed"), 0) << err;
  EXPECT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains("failed")) << out;
  say("again");
  EXPECT_TRUE(line(0).contains(R"("title":"Empty")") && line(0).contains(R"("status":"failed")")) << line(0);
  EXPECT_TRUE(line(1).contains(R"("content":"again")")) << line(1);
}

TEST_F(RowsOpenAgent, O03_InMemoryStoreCreatesReadsAndRemoves) {
  const Context context;
  for (const char* const layout : {"open-agent", "holdfast"}) {
    const auto opened = Store::in_memory(context, layout);
    ASSERT_TRUE(opened.has_value()) << opened.error().text();
    Store& memory = **opened;
    EXPECT_EQ(memory.layout_name(), layout);
    const auto id = memory.create(context, {.project = "/home/me/p", .title = "kept"});
    ASSERT_TRUE(id.has_value()) << id.error().text();
    {
      const auto writer = memory.write(context, *id);
      ASSERT_TRUE(writer.has_value()) << writer.error().text();
      for (const char* const words : {"one", "two"}) {
        Message message;
        message.blocks.push_back({.kind = BlockKind::text, .text = words});
        EXPECT_TRUE((*writer)->append(context, message).has_value());
      }
      EXPECT_TRUE((*writer)->close(context).has_value());
    }
    const auto read = memory.read(context, *id);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ASSERT_EQ(read->messages.size(), 2u);
    EXPECT_EQ(read->messages[1].text(), "two");
    EXPECT_EQ(read->session.first_prompt, "one");
    EXPECT_EQ(memory.list(context)->total, 1u);
    EXPECT_TRUE(memory.update(context, *id, {.title = "new"}).has_value());
    EXPECT_EQ(memory.get(context, *id)->title, "new");
    EXPECT_EQ((*Store::in_memory(context, layout))->list(context)->total, 0u) << "another one has its own";
    EXPECT_TRUE(memory.remove(context, *id).has_value());
    EXPECT_EQ(memory.list(context)->total, 0u);
    EXPECT_EQ(memory.read(context, *id).error().code, Code::not_found);
  }
}

TEST_F(RowsOpenAgent, O04_LineHasTimeModelUsageAndStopReason) {
  create();
  say("hello");
  ASSERT_EQ(
      hf("message append " + std::string(kId) +
         " --message '{\"role\":\"assistant\",\"text\":\"done\",\"model\":\"gpt-4o\",\"stop_reason\":\"end_turn\","
         "\"usage\":{\"input_tokens\":10,\"output_tokens\":3}}'"),
      0)
      << err;
  EXPECT_TRUE(line(1).contains(R"("parent_tool_use_id":null,"timestamp":"20)")) << line(1);
  EXPECT_TRUE(line(2).contains(R"("model":"gpt-4o","usage":{"input_tokens":10,"output_tokens":3},)"
                               R"("stop_reason":"end_turn","timestamp":"20)"))
      << line(2);
  // As the seed writes what Claude Code stores.
  put(std::string(kOther) + ".jsonl",
      session_of_the_sdk(kOther, "x") +
          R"({"type":"assistant","uuid":"a","session_id":"650e8400-e29b-41d4-a716-446655440000","message":)"
          R"({"role":"assistant","content":[{"type":"text","text":"y"}]},"timestamp":"2026-01-02T03:04:05.000Z",)"
          R"("model":"gpt-5","usage":{"inputTokens":20,"outputTokens":9},"stopReason":"tool_use"})"
          "\n");
  EXPECT_EQ(hf("show " + std::string(kOther)), 0) << err;
  EXPECT_TRUE(out.contains("\ngpt-5  [1] 2026-01-02 03:04 · 9 out\n    y\n")) << out;
  EXPECT_EQ(hf("message list " + std::string(kOther) + " --last 1 --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("stop_reason":"tool_use","usage":{"input":20,"output":9,)")) << out;
}

TEST_F(RowsOpenAgent, O06_IndexOnDiskHasAllFields) {
  create("--git-branch main");
  say("first question");
  say("second");
  ASSERT_EQ(hf("session update " + std::string(kId) + " --summary Short"), 0) << err;
  const std::string file = index();
  EXPECT_TRUE(file.starts_with("{\n  \"projectPath\": \"/home/me/p\",\n  \"sessions\": [\n    {\n      \"id\": \""))
      << file;
  const JsonView entry = JsonView(file).find("sessions").elements().begin()->value;
  EXPECT_TRUE(entry.find("id").is_string(kId)) << file;
  EXPECT_TRUE(entry.find("firstPrompt").is_string("first question")) << file;
  EXPECT_TRUE(entry.find("summary").is_string("Short")) << file;
  EXPECT_TRUE(entry.find("gitBranch").is_string("main")) << file;
  EXPECT_TRUE(entry.find("projectPath").is_string("/home/me/p")) << file;
  EXPECT_EQ(entry.find("messageCount").as_int64(), 2) << file;
  EXPECT_GT(entry.find("created").as_int64().value_or(0), 1'700'000'000'000) << "milliseconds: " << file;
  EXPECT_GE(entry.find("modified").as_int64(), entry.find("created").as_int64()) << file;
  ASSERT_EQ(hf("session delete " + std::string(kId) + " --yes"), 0) << err;
  EXPECT_FALSE(index().contains(kId)) << index();
}

TEST_F(RowsOpenAgent, O06_MissingDamagedOrStaleIndexIsRebuilt) {
  create();
  say("hello");
  put(std::string(kOther) + ".jsonl", session_of_the_sdk(kOther, "of the SDK"));
  const std::string stale =
      R"({"projectPath":"","sessions":[{"id":"dead0000-e29b-41d4-a716-446655440000","firstPrompt":"gone",)"
      R"("messageCount":1,"created":1,"modified":1}]})";
  for (const std::string& bad : {std::string(), std::string("{\"proj"), std::string("[]"), stale}) {
    if (bad.empty())
      std::filesystem::remove(home + "/" + kFolder + "sessions-index.json");
    else
      put("sessions-index.json", bad);
    ASSERT_EQ(hf("session list"), 0) << err;
    EXPECT_TRUE(out.contains(kId) && out.contains(kOther) && !out.contains("dead0000")) << bad << "\n" << out;
    say("more");
    EXPECT_TRUE(index().contains(kId) && index().contains("of the SDK")) << bad << "\n" << index();
    EXPECT_FALSE(index().contains("gone")) << index();
  }
}

TEST_F(RowsOpenAgent, O06_ClaudeIndexIsReadAndKeepsItsShape) {
  put(std::string(kId) + ".jsonl", session_of_the_sdk(kId, "plan it"));
  put("sessions-index.json",
      R"({"version":1,"entries":[{"sessionId":"550e8400-e29b-41d4-a716-446655440000","firstPrompt":"plan it",)"
      R"("summary":"A plan was made","messageCount":1,"gitBranch":"feature/x","projectPath":"/home/me/p","mood":"sunny"},)"
      R"({"sessionId":"dead0000-e29b-41d4-a716-446655440000","summary":"no more"}],"originalPath":"/home/me/p"})");
  EXPECT_EQ(hf("session get " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("summary: A plan was made\n")) << out;
  EXPECT_TRUE(out.contains("git_branch: feature/x\n")) << out;
  say("more");
  EXPECT_TRUE(index().starts_with(R"({"version":1,"entries":[{"sessionId":)")) << index();
  EXPECT_TRUE(index().contains(R"("mood":"sunny")") && index().contains(R"("originalPath":"/home/me/p")")) << index();
  EXPECT_TRUE(index().contains(R"("messageCount":2)") && !index().contains("dead0000")) << index();
}

TEST_F(RowsOpenAgent, O07_ListFollowsTheFolderNotTheIndex) {
  put(std::string(kId) + ".jsonl", session_of_the_sdk(kId, "is there"));
  put("sessions-index.json",
      R"({"projectPath":"","sessions":[{"id":"650e8400-e29b-41d4-a716-446655440000","firstPrompt":"was there",)"
      R"("messageCount":4,"created":1,"modified":9999999999999}]})");
  const std::string before = index();
  EXPECT_EQ(hf("session list"), 0) << err;
  EXPECT_TRUE(out.contains(kId) && out.contains("is there")) << out;
  EXPECT_FALSE(out.contains(kOther) || out.contains("was there")) << out;
  EXPECT_EQ(index(), before) << "reading writes nothing";
}

TEST_F(RowsOpenAgent, O10_AppendedLineNamesSdkLineAsParent) {
  put(std::string(kId) + ".jsonl", session_of_the_sdk(kId, "of the SDK"));
  say("of ours");
  EXPECT_TRUE(line(2).contains(R"("parentUuid":"13fd8a85-0000-4000-8000-000000000000")")) << line(2);
  EXPECT_EQ(hf("show " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("    of the SDK\n") && out.contains("    of ours\n")) << out;
}

TEST_F(RowsOpenAgent, O11_LineHasContextUnderClaudeNames) {
  create();
  ASSERT_EQ(hf("message append " + std::string(kId) +
               " --message '{\"role\":\"user\",\"text\":\"x\",\"context\":{\"cwd\":\"/home/me/p/sub\",\"git_branch\":"
               "\"feature\",\"permission_mode\":\"plan\",\"version\":\"1.2.3\",\"user_type\":\"external\"}}'"),
            0)
      << err;
  EXPECT_TRUE(line(1).ends_with(R"("cwd":"/home/me/p/sub","gitBranch":"feature","permissionMode":"plan",)"
                                R"("version":"1.2.3","userType":"external"})"))
      << line(1);
}

TEST_F(RowsOpenAgent, O12_ProgressLineHasToolTextAndFraction) {
  create();
  const std::string progress = R"({"type":"progress","tool_use_id":"call_1","text":"compiling","fraction":0.25})";
  ASSERT_EQ(hf("message append " + std::string(kId) +
               " --message '{\"role\":\"system\",\"origin\":\"notice\",\"blocks\":[{\"type\":\"other\",\"raw\":" +
               progress + "}]}'"),
            0)
      << err;
  EXPECT_TRUE(line(1).starts_with(R"({"type":"progress","uuid":")")) << line(1);
  EXPECT_TRUE(line(1).contains(
      R"("toolUseID":"call_1","data":{"type":"tool_progress","text":"compiling","fraction":0.25},"timestamp":")"))
      << line(1);
}

TEST_F(RowsOpenAgent, O13_ResultOver30000CharactersIsStoredBesideTheLog) {
  create();
  const std::string whole = std::string(30'000, 'a'), large = whole + "b";
  for (const auto& [call, result] :
       {std::pair("toolu_1", &large), std::pair("toolu_2", &whole), std::pair("../x", &large)}) {
    std::ofstream(home + "/message") << R"({"session":")" << kId
                                     << R"(","message":{"role":"tool","blocks":[{"type":"tool_result","id":")" << call
                                     << R"(","output":")" << *result << "\"}]}}";
    ASSERT_EQ(hf("call message.append @$HOME/message"), 0) << err;
  }
  const std::string folder = std::string(kFolder) + kId + "/tool-results/";
  EXPECT_EQ(text(folder + "toolu_1.txt"), large);
  EXPECT_FALSE(std::filesystem::exists(home + "/" + folder + "toolu_2.txt")) << "30,000 are not over 30,000";
  EXPECT_TRUE(line(2).contains(whole)) << line(2).size();
  EXPECT_LT(line(1).size(), 4000u);
  EXPECT_TRUE(line(1).contains(R"(<persisted-output>\nOutput too large (29.3KB). Full output saved to: )")) << line(1);
  EXPECT_TRUE(line(1).contains(R"(/tool-results/toolu_1.txt\n\nPreview (first 2KB):\naaaa)")) << line(1);
  EXPECT_EQ(sh("find $HOME/oa -name 'x*.txt'"), 0);
  EXPECT_EQ(out, "") << "an id is no path";
  EXPECT_EQ(hf("message list " + std::string(kId) + " --json"), 0) << err;
  for (const JsonItem& message : JsonView(out).find("messages").elements())
    EXPECT_GE(message.value.find("blocks").elements().begin()->value.find("output").as_string().value_or("").size(),
              30'000u);
}

TEST_F(RowsOpenAgent, O13_ResultNamesItsTool) {
  create();
  ASSERT_EQ(hf("message append " + std::string(kId) +
               " --message '{\"role\":\"tool\",\"blocks\":[{\"type\":\"tool_result\",\"id\":\"t1\",\"name\":\"Bash\","
               "\"output\":\"ok\"}]}'"),
            0)
      << err;
  EXPECT_TRUE(line(1).contains(R"("tool_use_id":"t1","tool_name":"Bash","result":"ok","is_error":false,"timestamp":")"))
      << line(1);
  // As the SDK writes it: it comes back with the name of the tool.
  ASSERT_EQ(hf("message append " + std::string(kId) +
               " --raw '{\"type\":\"tool_result\",\"uuid\":\"u\",\"tool_use_id\":\"t2\",\"tool_name\":\"Read\","
               "\"result\":\"text\",\"is_error\":false}'"),
            0)
      << err;
  EXPECT_EQ(hf("message list " + std::string(kId) + " --last 1 --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"({"type":"tool_result","id":"t2","name":"Read","output":"text","is_error":false})"))
      << out;
}

TEST_F(RowsOpenAgent, O15_MemoryIsStoredAtTheSeedPath) {
  create();
  ASSERT_EQ(hf("memory put MEMORY --project /home/me/p --body '# Use tabs'"), 0) << err;
  EXPECT_EQ(text(std::string(kFolder) + "memory/MEMORY.md"), "# Use tabs");
  EXPECT_EQ(sh("stat -c %a $HOME/" + std::string(kFolder) + "memory/MEMORY.md"), 0);
  EXPECT_EQ(out, "600\n");
}

TEST_F(RowsOpenAgent, O16_ForkHasNewIdOnEveryLineAndNamesItsParent) {
  create();
  say("question");
  say("more");
  const std::string before = log();
  ASSERT_EQ(hf("session fork " + std::string(kId) + " --json"), 0) << err;
  const std::string fork = field({"id"});
  EXPECT_EQ(log(), before);
  const std::string copied = log(fork);
  EXPECT_TRUE(copied.contains(R"("parentSessionId":"550e8400-e29b-41d4-a716-446655440000","forkedAt":1)")) << copied;
  std::size_t lines = 0;
  for (std::size_t at = copied.find('\n') + 1; at < copied.size(); at = copied.find('\n', at) + 1, ++lines)
    EXPECT_TRUE(copied.substr(at, copied.find('\n', at) - at).contains("\"session_id\":\"" + fork + "\"")) << copied;
  EXPECT_EQ(lines, 2u);
  EXPECT_EQ(hf("session get " + fork), 0) << err;
  EXPECT_TRUE(out.contains("parent.id: " + std::string(kId) + "\nparent.kind: fork\n")) << out;
}

TEST_F(RowsOpenAgent, O16_CompactionOnlyAppends) {
  create();
  say("question");
  const std::string before = log();
  ASSERT_EQ(hf("session compact " + std::string(kId) + " --summary 'we spoke' --pre-tokens 120"), 0) << err;
  EXPECT_TRUE(log().starts_with(before)) << log();
  EXPECT_TRUE(line(2).starts_with(R"({"type":"system","subtype":"compact_boundary","uuid":")")) << line(2);
  EXPECT_TRUE(line(2).contains(R"("compact_metadata":{"trigger":"manual","pre_tokens":120})")) << line(2);
  EXPECT_TRUE(line(3).contains(R"("text":"Summary of previous conversation:\nwe spoke")")) << line(3);
}

}  // namespace
}  // namespace holdfast::inline v1
