// Calls and results of tools after damage: what the rescued copy of each agent contains.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "transfer/rescue.h"
#include "transfer/rescue_document.h"
#include "transfer/tool_pairs.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

// A prompt, an answer that calls a tool, the result, a last answer; and the lines of the call and the result.
struct Agent {
  std::string name;
  std::string file;
  Lines lines;
  std::size_t call = 1, result = 2;
};

std::string claude(const std::string& type, const std::string& id, const std::string& parent,
                   const std::string& content) {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"isSidechain":false,"type":")" +
         type + R"(","message":{"role":")" + type + R"(","content":)" + content + R"(},"uuid":")" + id +
         R"(","timestamp":"2026-01-01T00:00:01.000Z","sessionId":"s","cwd":"/p","version":"2.1.325"})";
}

Lines claude_lines() {
  return {claude("user", "a", "", R"("question")"),
          claude("assistant", "b", "a", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}])"),
          claude("user", "c", "b", R"([{"tool_use_id":"t1","type":"tool_result","content":"the output"}])"),
          claude("assistant", "d", "c", R"([{"type":"text","text":"done"}])")};
}

Lines codex_lines(bool paginated) {
  Lines lines = {
      R"("type":"session_meta","payload":{"id":"x","timestamp":"t","cwd":"/p","originator":"o","cli_version":"1"})",
      R"("type":"response_item","payload":{"type":"message","role":"user","content":[]})",
      R"("type":"response_item","payload":{"type":"function_call","name":"exec","arguments":"{}","call_id":"t1"})",
      R"("type":"response_item","payload":{"type":"function_call_output","call_id":"t1","output":"the output"})",
      R"("type":"response_item","payload":{"type":"message","role":"assistant","content":[]})"};
  for (std::size_t n = 0; n < lines.size(); ++n)
    lines[n] = R"({"timestamp":"2026-01-01T00:00:0)" + std::to_string(n) + "Z\"," +
               (paginated ? "\"ordinal\":" + std::to_string(n) + "," : "") + lines[n] + "}";
  return lines;
}

Lines gemini_lines() {
  const std::string response = R"({"functionResponse":{"id":"t1","name":"shell","response":{"output":"the output"}}})";
  return {
      R"({"sessionId":"s","projectHash":"h","startTime":"t","lastUpdated":"t","kind":"main"})",
      R"({"id":"a","timestamp":"t1","type":"user","content":[{"text":"question"}]})",
      R"({"id":"b","timestamp":"t2","type":"gemini","content":"x","toolCalls":[{"id":"t1","name":"shell","args":{},"result":[)" +
          response + R"(],"status":"success"}]})",
      R"({"id":"c","timestamp":"t3","type":"user","content":[)" + response + "]}",
      R"({"id":"d","timestamp":"t4","type":"gemini","content":"done"})"};
}

std::string qwen(const std::string& type, const std::string& id, const std::string& parent, const std::string& part) {
  return R"({"uuid":")" + id + R"(","parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"sessionId":"s","timestamp":"t","type":")" + type + R"(","cwd":"/p","version":"1","message":{"role":")" +
         (type == "assistant" ? "model" : "user") + R"(","parts":[)" + part + "]}}";
}

Lines qwen_lines() {
  return {
      qwen("user", "a", "", R"({"text":"question"})"),
      qwen("assistant", "b", "a",
           R"({"functionCall":{"id":"t1","name":"ls","args":{}}},{"functionCall":{"id":"t2","name":"cat","args":{}}})"),
      qwen("tool_result", "c", "b",
           R"({"functionResponse":{"id":"t1","name":"ls","response":{"output":"the output"}}})"),
      qwen("tool_result", "d", "c", R"({"functionResponse":{"id":"t2","name":"cat","response":{"output":"more"}}})"),
      qwen("assistant", "e", "d", R"({"text":"done"})")};
}

std::string pi(const std::string& id, const std::string& parent, const std::string& message) {
  return R"({"type":"message","id":")" + id + R"(","parentId":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"timestamp":"2026-01-01T00:00:00.000Z","message":{)" + message + "}}";
}

Lines pi_lines() {
  return {
      R"({"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/p"})",
      pi("00000001", "", R"("role":"user","content":"question","timestamp":1)"),
      pi("00000002", "00000001",
         R"("role":"assistant","content":[{"type":"toolCall","id":"t1","name":"bash","arguments":{}}],"api":"x","provider":"y","model":"m","usage":{"totalTokens":1},"stopReason":"toolUse","timestamp":2)"),
      pi("00000003", "00000002",
         R"("role":"toolResult","toolCallId":"t1","toolName":"bash","content":[{"type":"text","text":"the output"}],"isError":false,"timestamp":3)"),
      pi("00000004", "00000003",
         R"("role":"assistant","content":[{"type":"text","text":"done"}],"api":"x","provider":"y","model":"m","usage":{"totalTokens":1},"stopReason":"stop","timestamp":4)")};
}

std::string copilot(const std::string& type, const std::string& id, const std::string& parent,
                    const std::string& data) {
  return R"({"type":")" + type + R"(","data":{)" + data + R"(},"id":")" + id + R"(","timestamp":"t","parentId":)" +
         (parent.empty() ? "null" : "\"" + parent + "\"") + "}";
}

Lines copilot_lines() {
  return {
      copilot("session.start", "s", "", R"("sessionId":"s","version":1)"),
      copilot("user.message", "a", "s", R"("content":"question")"),
      copilot(
          "assistant.message", "b", "a",
          R"("messageId":"m","content":"","toolRequests":[{"toolCallId":"t1","name":"bash","arguments":{"command":"ls"},"type":"function"}],"turnId":"0")"),
      copilot("tool.execution_start", "c", "b",
              R"("toolCallId":"t1","toolName":"bash","arguments":{"command":"ls"},"turnId":"0")"),
      copilot("tool.execution_complete", "d", "c",
              R"("toolCallId":"t1","success":true,"result":{"content":"the output"})"),
      copilot("assistant.message", "e", "d", R"("messageId":"n","content":"done","toolRequests":[])")};
}

std::vector<Agent> logs() {
  const std::string rollout = "rollout-2026-01-01T00-00-00-0199a000-0000-7000-8000-0000000000a1.jsonl";
  return {{"claude", "x.jsonl", claude_lines(), 1, 2},
          {"codex", rollout, codex_lines(false), 2, 3},
          {"codex paginated", rollout, codex_lines(true), 2, 3},
          {"gemini", "session-2026-01-01T00-00-00000000.jsonl", gemini_lines(), 2, 3},
          {"qwen", "y.jsonl", qwen_lines(), 1, 2},
          {"pi", "2026-01-01T00-00-00-000Z_s.jsonl", pi_lines(), 2, 3},
          {"copilot", "events.jsonl", copilot_lines(), 2, 4}};
}

struct RescueTools : testing::Test {
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "holdfast-tools-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    directory = std::move(*real_file_system().open_directory(folder.string(), false));
    roots["home"] = directory.get();
  }
  void TearDown() override { fs::remove_all(folder); }

  Rescued of(const Agent& agent, const Lines& lines, const std::string& end = "\n") {
    std::string bytes;
    for (const std::string& line : lines) bytes += line + (&line == &lines.back() ? end : "\n");
    std::ofstream(folder / agent.file, std::ios::binary) << bytes;
    DirectoryFeed feed(context, roots);
    auto rescued = rescue_log(feed, {"home", agent.file});
    EXPECT_TRUE(rescued) << agent.name;
    std::ifstream again(folder / agent.file, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), bytes) << "the original was touched";
    return rescued ? std::move(*rescued) : Rescued{};
  }
  static Lines halved(Lines lines, std::initializer_list<std::size_t> victims) {
    for (const std::size_t n : victims) lines[n].resize(lines[n].size() / 2);
    return lines;
  }

  Context context;
  fs::path folder;
  std::unique_ptr<Directory> directory;
  RootDirectories roots;
};

Lines lines_of(const std::string& bytes) {
  Lines lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    lines.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Every result comes after its call, every call except those in `open` has a result, and the chain is whole.
void expect_paired(const std::string& what, const Lines& lines, const std::set<std::string>& open = {}) {
  std::set<std::string> calls, answered, ids;
  for (const std::string& line : lines) {
    const JsonView json(line);
    for (const ToolDialect* dialect : tool_dialects()) {
      const ToolActivity talk = dialect->talk(json);
      for (const ToolMention& call : talk.calls) calls.insert(call.id);
      for (const ToolMention& mention : talk.mentions) {
        EXPECT_TRUE(calls.contains(mention.id)) << what << ": a result without its call\n" << line;
        if (mention.answers) answered.insert(mention.id);
      }
    }
    for (const auto& [id, parent] :
         {std::pair<std::string_view, std::string_view>{"uuid", "parentUuid"}, {"id", "parentId"}}) {
      const auto follows = json.find(parent).as_string();
      EXPECT_TRUE(!follows || ids.contains(*follows)) << what << ": follows nothing\n" << line;
      const auto own = json.find(id).as_string();
      EXPECT_TRUE(!own || !json.find(parent) || ids.insert(*own).second) << what << ": an id twice\n" << line;
    }
  }
  for (const std::string& call : calls)
    EXPECT_EQ(answered.contains(call), !open.contains(call)) << what << ": a call without its result: " << call;
}

std::uint64_t repairs(const Rescued& rescued) {
  return rescued.tools.results_made + rescued.tools.calls_made + rescued.tools.results_as_text;
}

TEST_F(RescueTools, HealthyPairsAreUnchanged) {
  for (const Agent& agent : logs()) {
    const Rescued whole = of(agent, agent.lines);
    EXPECT_EQ(lines_of(whole.bytes), agent.lines) << agent.name;
    EXPECT_EQ(repairs(whole), 0u) << agent.name;
    const Rescued prompt_lost = of(agent, halved(agent.lines, {agent.call - 1}));
    EXPECT_EQ(repairs(prompt_lost), 0u) << agent.name << ": the pair is whole";
  }
}

TEST_F(RescueTools, LostResultIsReplacedByMarkedOne) {
  for (const Agent& agent : logs()) {
    if (agent.name == "gemini") continue;  // the call contains its result
    const Rescued rescued = of(agent, halved(agent.lines, {agent.result}));
    const Lines lines = lines_of(rescued.bytes);
    ASSERT_EQ(lines.size(), agent.lines.size()) << agent.name;
    EXPECT_EQ(rescued.tools.results_made, 1u) << agent.name;
    EXPECT_EQ(repairs(rescued), 1u) << agent.name;
    EXPECT_NE(lines[agent.result].find(kOutputLost), std::string::npos) << agent.name << lines[agent.result];
    expect_paired(agent.name, lines);
    EXPECT_EQ(rescued.bytes, of(agent, halved(agent.lines, {agent.result})).bytes) << "the same every time";
  }
}

TEST_F(RescueTools, ResultWithoutCallGetsCallOrBecomesText) {
  for (const Agent& agent : logs()) {
    const Rescued rescued = of(agent, halved(agent.lines, {agent.call}));
    const Lines lines = lines_of(rescued.bytes);
    const bool named = agent.name != "claude" && !agent.name.starts_with("codex");
    EXPECT_EQ(rescued.tools.calls_made, !named ? 0u : agent.name == "qwen" ? 2u : 1u) << agent.name;
    EXPECT_EQ(rescued.tools.results_as_text, named ? 0u : 1u) << agent.name;
    EXPECT_EQ(lines.size(), agent.lines.size() - (named ? 0 : 1)) << agent.name;
    EXPECT_NE(rescued.bytes.find("the output"), std::string::npos) << agent.name << ": what was kept is not lost";
    expect_paired(agent.name, lines);
  }
}

TEST_F(RescueTools, RepairsMatchTheFormatOfEachAgent) {
  EXPECT_EQ(lines_of(of(logs()[0], halved(claude_lines(), {2})).bytes)[2].find(
                R"({"parentUuid":"b","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.325","type":"user",)"
                R"("message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":")"),
            0u);
  EXPECT_NE(lines_of(of(logs()[0], halved(claude_lines(), {1})).bytes)[1].find(
                R"("message":{"role":"user","content":[{"type":"text","text":"[The tool call that gave this output)"),
            std::string::npos);
  EXPECT_EQ(lines_of(of(logs()[2], halved(codex_lines(true), {3})).bytes)[3],
            R"({"timestamp":"2026-01-01T00:00:02Z","ordinal":3,"type":"response_item","payload":{"type":)"
            R"("function_call_output","call_id":"t1","output":")" +
                std::string(kOutputLost) + "\"}}");
  const Lines pi_copy = lines_of(of(logs()[5], halved(pi_lines(), {2})).bytes);
  EXPECT_NE(pi_copy[2].find(R"({"type":"toolCall","id":"t1","name":"bash","arguments":{}}],"api":"x","provider":"y")"),
            std::string::npos);
  EXPECT_NE(pi_copy[2].find(R"("totalTokens":0)"), std::string::npos) << "without it pi does not start";
  const std::string copilot_copy = of(logs()[6], halved(copilot_lines(), {2})).bytes;
  EXPECT_NE(copilot_copy.find(R"("toolRequests":[{"toolCallId":"t1","name":"bash","arguments":{"command":"ls"})"),
            std::string::npos)
      << "the start of the tool still tells its arguments";
}

// Nothing follows the call: the agent was killed, and handles that case itself.
TEST_F(RescueTools, CallInFlightIsKept) {
  for (const Agent& agent : logs()) {
    if (agent.name == "gemini") continue;
    Lines lines(agent.lines.begin(), agent.lines.begin() + static_cast<std::ptrdiff_t>(agent.call) + 1);
    const Rescued killed = of(agent, lines);
    EXPECT_EQ(lines_of(killed.bytes), lines) << agent.name;
    lines.push_back(agent.lines[agent.result].substr(0, 20));
    const Rescued torn = of(agent, lines, "");
    EXPECT_EQ(repairs(torn), 0u) << agent.name;
  }
}

// No bytes are missing and the chain is whole: the agent itself left the gap.
TEST_F(RescueTools, GapWithoutDamageIsKept) {
  Lines lines = codex_lines(false);
  lines.erase(lines.begin() + 3);
  const Rescued rescued = of(logs()[1], lines);
  EXPECT_EQ(lines_of(rescued.bytes), lines);
}

// The record is gone and no damaged bytes remain, but the next record names it.
TEST_F(RescueTools, MissingParentCountsAsDamage) {
  for (const std::size_t victim : {1U, 2U}) {
    Lines lines = claude_lines();
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(victim));
    const Rescued rescued = of(logs()[0], lines);
    EXPECT_EQ(repairs(rescued), 1u) << victim;
    expect_paired("claude", lines_of(rescued.bytes));
  }
}

TEST_F(RescueTools, OnlyTheLostParallelCallIsRepaired) {
  const Agent agent = logs()[0];
  const Lines lines = {claude("user", "a", "", R"("question")"),
                       claude("assistant", "b", "a", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{}}])"),
                       claude("assistant", "c", "b", R"([{"type":"tool_use","id":"t2","name":"Read","input":{}}])"),
                       claude("user", "d", "b", R"([{"tool_use_id":"t1","type":"tool_result","content":"one"}])"),
                       claude("user", "e", "c",
                              R"([{"tool_use_id":"t2","type":"tool_result","content":[{"type":"image","source":1}]}])"),
                       claude("assistant", "f", "e", R"([{"type":"text","text":"done"}])")};
  for (std::size_t victim = 0; victim < lines.size(); ++victim) {
    const Rescued rescued = of(agent, halved(lines, {victim}));
    expect_paired("victim " + std::to_string(victim), lines_of(rescued.bytes));
    EXPECT_EQ(repairs(rescued), victim >= 1 && victim <= 4 ? 1u : 0u) << victim;
  }
  const Rescued image = of(agent, halved(lines, {2}));
  EXPECT_NE(image.bytes.find(R"(The output:]\n"},{"type":"image","source":1}])"), std::string::npos) << image.bytes;
}

// Messages of a sub-agent in between do not end the turn of its caller.
TEST_F(RescueTools, SubAgentMessagesDoNotEndTheTurn) {
  Lines lines = copilot_lines();
  std::string aside = copilot("assistant.message", "z", "c", R"("messageId":"z","content":"hm","toolRequests":[])");
  aside.insert(aside.size() - 1, R"(,"agentId":"sub")");
  lines.insert(lines.begin() + 4, aside);
  lines[5] =
      copilot("tool.execution_complete", "d", "z", R"("toolCallId":"t1","success":true,"result":{"content":"x"})");
  EXPECT_EQ(of(logs()[6], halved(lines, {5})).tools.results_made, 1u);
}

TEST_F(RescueTools, NoRepairIfOrdinalsHaveNoGap) {
  Lines lines = codex_lines(true);
  lines[3] = std::string(100, '\0');
  lines[4].replace(lines[4].find("\"ordinal\":4"), 11, "\"ordinal\":3");
  EXPECT_EQ(repairs(of(logs()[2], lines)), 0u);
}

TEST(RescueDocumentTools, ContinueElementIsAnsweredOrBecomesText) {
  const std::string call =
      R"({"message":{"role":"assistant","content":"","toolCalls":[{"id":"t1","function":{"name":"ls"}}]},"contextItems":[]})";
  const std::string result =
      R"({"message":{"role":"tool","toolCallId":"t1","content":"the output"},"contextItems":[]})";
  const std::string prompt = R"({"message":{"role":"user","content":"more"},"contextItems":[]})";
  const auto document = [&](const std::string& first, const std::string& second) {
    return R"({"sessionId":"s","history":[)" + prompt + "," + first + "," + second + "," + prompt + "]}";
  };
  const auto made = rescue_document(document(call, result.substr(0, 30)), "s.json");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->tools.results_made, 1u);
  EXPECT_NE(made->bytes.find(R"("role":"tool","content":"[The output of this tool call was lost)"), std::string::npos);
  const auto text = rescue_document(document(call.substr(0, 30), result), "s.json");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->tools.results_as_text, 1u);
  EXPECT_NE(text->bytes.find(R"({"message":{"role":"user","content":"[The tool call)"), std::string::npos);
  EXPECT_EQ(rescue_document(document(call, result), "s.json")->bytes, document(call, result));
}

}  // namespace
}  // namespace holdfast::inline v1
