// Claude Code: versions and shapes that the corpus does not contain, from the facts.
#include <gtest/gtest.h>

#include "layout/claude_code/claude_code_layout.h"
#include "model/lineage.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kProject[] = "projects/-home-dev-alpha/";
constexpr char kA[] = "aaaaaaaa-1111-4222-8333-444444444444";
constexpr char kB[] = "bbbbbbbb-1111-4222-8333-444444444444";

std::string log_of(const std::string& id) { return kProject + id + ".jsonl"; }

// The fields that every tree record has; `more` begins with a comma.
std::string record(const std::string& type, const std::string& uuid, const std::string& parent, const std::string& more,
                   const std::string& session = kA) {
  const std::string before = parent.empty() ? "null" : "\"" + parent + "\"";
  return "{\"parentUuid\":" + before + ",\"type\":\"" + type + "\",\"uuid\":\"" + uuid +
         "\",\"timestamp\":\"2026-01-01T00:00:0" + std::string(1, uuid.back()) + ".000Z\",\"sessionId\":\"" + session +
         "\",\"cwd\":\"/home/dev/alpha\",\"gitBranch\":\"main\"" + more + "}\n";
}
std::string user(const std::string& uuid, const std::string& parent, const std::string& text,
                 const std::string& more = "", const std::string& session = kA) {
  return record("user", uuid, parent, ",\"message\":{\"role\":\"user\",\"content\":\"" + text + "\"}" + more, session);
}
std::string answer(const std::string& uuid, const std::string& parent, const std::string& id, const std::string& block,
                   int output, const std::string& more = "", const std::string& session = kA) {
  return record("assistant", uuid, parent,
                ",\"message\":{\"id\":\"" + id +
                    "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4\",\"content\":[" +
                    block +
                    "],\"stop_reason\":null,\"usage\":{\"input_tokens\":3,\"cache_creation_input_tokens\":5,"
                    "\"cache_read_input_tokens\":7,\"output_tokens\":" +
                    std::to_string(output) + "}}" + more,
                session);
}
std::string text(const std::string& words) { return "{\"type\":\"text\",\"text\":\"" + words + "\"}"; }
std::string call(const std::string& id, const std::string& tool) {
  return "{\"type\":\"tool_use\",\"id\":\"" + id + "\",\"name\":\"" + tool + "\",\"input\":{\"x\":1}}";
}
std::string result(const std::string& uuid, const std::string& parent, const std::string& id, const std::string& output,
                   const std::string& more = "") {
  return record("user", uuid, parent,
                ",\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"" + id +
                    "\",\"type\":\"tool_result\",\"content\":\"" + output + "\"}]}" + more);
}

const Reading& only(const Readings& readings) { return *readings.begin()->second; }

TEST(ClaudeReader, BlocksOfOneResponseCountOnceWithTheirLastUsage) {
  MemoryFeed feed(
      "home", {{log_of(kA), user("u1", "", "hello") + answer("a1", "u1", "msg_1", text("Look."), 3) +
                                answer("a2", "a1", "msg_1", call("t1", "Read"), 156) + result("r1", "a2", "t1", "ok") +
                                answer("a3", "r1", "msg_2", text("Done."), 20)}});
  EXPECT_TRUE(*claude_code_layout().recognise(feed));
  const auto readings = read_sessions(claude_code_layout(), feed);
  const Session& session = only(readings).session;
  EXPECT_EQ(session.counts, (Counts{.user = 1, .assistant = 2, .tool_calls = 1, .tool_results = 1, .records = 5}));
  EXPECT_EQ(session.usage, (Usage{.input = 6, .output = 176, .cache_read = 14, .cache_write = 10}));
  EXPECT_EQ(session.models, Lines{"claude-sonnet-4"});
  EXPECT_EQ(session.project, "/home/dev/alpha");
  EXPECT_EQ(session.git_branch, "main");
  EXPECT_EQ(session.status, Status::active);
}

TEST(ClaudeReader, SubAgentsInTheFileAreCountedSeparately) {
  const std::string side = ",\"isSidechain\":true";
  MemoryFeed feed(
      "home",
      {{log_of(kA), user("u1", "", "delegate") + answer("a1", "u1", "msg_1", call("t1", "Task"), 9) +
                        user("s1", "", "do it", side) + answer("s2", "s1", "msg_2", text("done"), 100, side) +
                        result("r1", "a1", "t1", "done") + answer("a2", "r1", "msg_3", text("It is done."), 7)}});
  const auto readings = read_sessions(claude_code_layout(), feed);
  const Session& session = only(readings).session;
  EXPECT_EQ(session.subagents, 1);
  EXPECT_EQ(session.counts.user, 1);
  EXPECT_EQ(session.counts.assistant, 2);
  EXPECT_EQ(session.usage.output, 16);
}

TEST(ClaudeReader, SubAgentFilesNameTheirParent) {
  const std::string side = ",\"isSidechain\":true,\"agentId\":\"0a1b2c3d\"";
  MemoryFeed feed(
      "home",
      {{log_of(kA), user("u1", "", "delegate") + answer("a1", "u1", "msg_1", call("t1", "Task"), 9) +
                        result("r1", "a1", "t1", "done", ",\"toolUseResult\":{\"agentId\":\"0a1b2c3d\"}") +
                        answer("a2", "r1", "msg_3", text("ok"), 7)},
       {log_of("agent-0a1b2c3d"), user("s1", "", "do it", side) + answer("s2", "s1", "msg_2", text("done"), 100, side)},
       {log_of("agent-ffffffff"),
        user("w1", "", "Warmup", side) + answer("w2", "w1", "msg_9", text("ready"), 1, side)}});
  const auto readings = read_sessions(claude_code_layout(), feed);
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(readings.at(kA)->session.subagents, 1);  // nobody started the warm-up
  const Session& agent = readings.at("0a1b2c3d")->session;
  ASSERT_TRUE(agent.parent);
  EXPECT_EQ(*agent.parent, (Parent{kA, ParentKind::subagent, {}}));
  EXPECT_EQ(agent.counts.user, 1);
  EXPECT_EQ(agent.usage.output, 100);
}

TEST(ClaudeReader, SubAgentOfSubAgentNamesTheOneThatStartedIt) {
  const std::string folder = std::string(kProject) + kA + "/subagents/agent-";
  const std::string side = ",\"isSidechain\":true";
  const std::string task = user("s1", "", "do it", side);
  MemoryFeed feed("home",
                  {{log_of(kA), user("u1", "", "delegate")},
                   {folder + "outer.jsonl",
                    task + answer("s2", "s1", "msg_1", call("t1", "Agent"), 9, side) +
                        result("s3", "s2", "t1", "done", ",\"toolUseResult\":{\"agentId\":\"nested\"}" + side)},
                   {folder + "outer.meta.json", R"({"agentType":"x","toolUseId":"t0","spawnDepth":1})"},
                   {folder + "nested.jsonl", task},
                   {folder + "nested.meta.json", R"({"toolUseId":"t1","parentAgentId":"outer","spawnDepth":2})"},
                   {folder + "bare.jsonl", task},
                   {folder + "odd.jsonl", task},
                   {folder + "odd.meta.json", R"({"parentAgentId":"odd"})"},
                   {folder + "torn.jsonl", task},
                   {folder + "torn.meta.json", R"({"parentAg)"}});
  const auto readings = read_sessions(claude_code_layout(), feed);
  const auto parent_of = [&](const std::string& id) { return readings.at(id)->session.parent; };
  EXPECT_EQ(parent_of("outer"), (Parent{kA, ParentKind::subagent, {}}));
  EXPECT_EQ(parent_of("nested"), (Parent{"outer", ParentKind::subagent, {}}));
  EXPECT_EQ(readings.at("outer")->session.subagents, 1);
  for (const char* id : {"bare", "odd", "torn"}) EXPECT_EQ(parent_of(id), (Parent{kA, ParentKind::subagent, {}})) << id;
}

TEST(ClaudeReader, LastLeafSelectsBranchAfterRewind) {
  const std::string log = user("u1", "", "one") + answer("a1", "u1", "msg_1", text("first"), 1) +
                          user("u2", "a1", "wrong") + answer("a2", "u2", "msg_2", text("no"), 1) +
                          user("u3", "a1", "right") + answer("a3", "u3", "msg_3", text("yes"), 1);
  const auto leaf_after = [&](const std::string& more) {
    MemoryFeed feed("home", {{log_of(kA), log + more}});
    return only(read_sessions(claude_code_layout(), feed)).leaf_id;
  };
  EXPECT_EQ(leaf_after(""), "");  // the newest
  EXPECT_EQ(leaf_after("{\"type\":\"last-prompt\",\"leafUuid\":\"a2\",\"sessionId\":\"x\"}\n"), "a2");
  // Messages after the recorded leaf belong to it.
  EXPECT_EQ(leaf_after("{\"type\":\"last-prompt\",\"leafUuid\":\"u3\",\"sessionId\":\"x\"}\n"), "a3");
  EXPECT_EQ(leaf_after("{\"type\":\"last-prompt\",\"leafUuid\":\"00000000-0000-0000-0000-000000000000\","
                       "\"explicit\":true}\n"),
            "");
}

TEST(ClaudeReader, UntypedRecordsAreNotPrompts) {
  MemoryFeed feed(
      "home", {{log_of(kA),
                user("u1", "", "hello") + user("u2", "u1", "context", ",\"isMeta\":true") +
                    user("u3", "u2", "<command-name>/clear</command-name>") +
                    user("u4", "u3", "This session is being continued", ",\"isCompactSummary\":true") +
                    user("u5", "u4", "[Request interrupted by user]") +
                    record("assistant", "a1", "u5",
                           ",\"isApiErrorMessage\":true,\"message\":{\"id\":\"x\",\"role\":\"assistant\",\"model\":"
                           "\"<synthetic>\",\"content\":[{\"type\":\"text\",\"text\":\"API Error: 400\"}],"
                           "\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}") +
                    record("assistant", "a2", "a1",
                           ",\"message\":{\"id\":\"y\",\"role\":\"assistant\",\"model\":\"<synthetic>\",\"content\":"
                           "[{\"type\":\"text\",\"text\":\"No response requested.\"}]}")}});
  const auto readings = read_sessions(claude_code_layout(), feed);
  EXPECT_EQ(script(only(readings)),
            (Lines{"user typed: hello", "user injected: context", "user command: <command-name>/clear</command-name>",
                   "user summary: This session is being continued", "user notice: [Request interrupted by user]",
                   "assistant notice failed: API Error: 400", "assistant notice: No response requested."}));
  EXPECT_EQ(only(readings).session.counts.assistant, 0);
  EXPECT_EQ(only(readings).session.models, Lines{});
}

TEST(ClaudeReader, CompactionBoundaryKeepsItsLogicalParent) {
  MemoryFeed feed("home", {{log_of(kA), user("u1", "", "one") + answer("a1", "u1", "msg_1", text("first"), 1) +
                                            record("system", "c1", "",
                                                   ",\"subtype\":\"compact_boundary\",\"content\":\"Compacted\","
                                                   "\"logicalParentUuid\":\"a1\"")}});
  EXPECT_EQ(only(read_sessions(claude_code_layout(), feed)).messages.back().parent, "a1");
}

TEST(ClaudeReader, LargeOutputIsReadFromSessionFolderOnly) {
  const auto preview = [](const std::string& path) {
    return "<persisted-output>\\nOutput too large (223.5KB). Full output saved to: " + path + "\\n\\nPreview:\\nabc";
  };
  const auto output = [&](const std::string& path) {
    MemoryFeed feed("home", {{log_of(kA), user("u1", "", "go") + answer("a1", "u1", "m", call("t1", "Bash"), 1) +
                                              result("r1", "a1", "t1", preview(path))},
                             {kProject + std::string(kA) + "/tool-results/b1.txt", "the whole"},
                             {"secret.txt", "secret"}});
    return only(read_sessions(claude_code_layout(), feed)).messages.back().blocks.at(0).text;
  };
  EXPECT_EQ(output("/elsewhere/of/old/b1.txt"), "the whole");
  EXPECT_TRUE(output("/home/dev/secret.txt").starts_with("<persisted-output>"));
}

TEST(ClaudeReader, ReadsCustomTitles) {
  MemoryFeed feed("home",
                  {{log_of(kA), user("u1", "", "hello") + "{\"type\":\"custom-title\",\"customTitle\":\"Mine\"}\n"},
                   {log_of(kB), user("u2", "", "hi", "", kB)},
                   {kProject + std::string(kB) + "/custom-title.json", "{\"customTitle\":\"Other\"}"}});
  const auto readings = read_sessions(claude_code_layout(), feed);
  EXPECT_EQ(readings.at(kA)->session.title, "Mine");
  EXPECT_EQ(readings.at(kB)->session.title, "Other");
}

// 1.0 resumed by copying under new ids; forks of 2.x keep the ids; /branch records the parent.
TEST(ClaudeReader, CopiesAreRecognizedByTheirIds) {
  const auto parent_of_b = [](const std::string& log) {
    MemoryFeed feed(
        "home", {{log_of(kA), user("u1", "", "one") + answer("a1", "u1", "msg_1", text("x"), 1)}, {log_of(kB), log}});
    const auto readings = read_sessions(claude_code_layout(), feed);
    std::vector<Session> rows{readings.at(kA)->session, readings.at(kB)->session};
    infer_parents(rows);
    EXPECT_FALSE(rows[0].parent);
    return rows[1].parent.value_or(Parent{});
  };
  const std::string flat = "{\"type\":\"queue-operation\",\"timestamp\":\"2026-01-02T00:00:00.000Z\"}\n";
  EXPECT_EQ(parent_of_b(flat + user("u1", "", "one", "", kB) + answer("a1", "u1", "msg_1", text("x"), 1, "", kB) +
                        user("u8", "a1", "two", "", kB)),
            (Parent{kA, ParentKind::fork, {}}));
  EXPECT_EQ(parent_of_b(user("v1", "", "one", "", kB) + answer("b1", "v1", "msg_1", text("x"), 1, "", kB) +
                        user("v9", "b1", "two", "", kB)),
            (Parent{kA, ParentKind::resume, {}}));
  const std::string from = ",\"forkedFrom\":{\"sessionId\":\"cccc\",\"messageUuid\":\"u1\"}";
  EXPECT_EQ(parent_of_b(user("z1", "", "one", from, kB)), (Parent{"cccc", ParentKind::fork, {}}));
  EXPECT_EQ(parent_of_b(user("z1", "", "other", "", kB)), Parent{});
}

TEST(ClaudeReader, KilledSessionReportsPendingWork) {
  const auto pending = [](const std::string& log) {
    MemoryFeed feed("home", {{log_of(kA), log}});
    return only(read_sessions(claude_code_layout(), feed)).session.pending;
  };
  EXPECT_EQ(pending(user("u1", "", "one")), Pending::answer);
  EXPECT_EQ(pending(user("u1", "", "one") + answer("a1", "u1", "m", call("t1", "Bash"), 1)), Pending::tool);
}

}  // namespace
}  // namespace holdfast::corpus
