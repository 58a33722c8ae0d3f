// Copilot CLI: shapes that the corpus does not contain, from the facts.
#include <gtest/gtest.h>

#include "layout/copilot/copilot_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kA[] = "aaaaaaaa-1111-4222-8333-444444444444";
const std::string kFolder = std::string("session-state/") + kA + "/";

std::string event(const std::string& type, const std::string& id, const std::string& parent, const std::string& data,
                  const std::string& more = "") {
  const std::string before = parent.empty() ? "null" : "\"" + parent + "\"";
  return "{\"type\":\"" + type + "\",\"data\":{" + data + "},\"id\":\"" + id + "\",\"timestamp\":\"2026-01-01T00:00:0" +
         id.back() + ".000Z\",\"parentId\":" + before + more + "}\n";
}
std::string start(const std::string& id) {
  return event("session.start", id, "",
               "\"sessionId\":\"" + std::string(kA) +
                   "\",\"startTime\":\"2026-01-01T00:00:00.000Z\",\"selectedModel\":\"gpt-5\",\"context\":{\"cwd\":"
                   "\"/home/dev/alpha\",\"branch\":\"main\"}");
}
std::string prompt(const std::string& id, const std::string& parent, const std::string& words,
                   const std::string& more = "") {
  return event("user.message", id, parent, "\"content\":\"" + words + "\"" + more);
}
std::string answer(const std::string& id, const std::string& parent, const std::string& words,
                   const std::string& more = "", const std::string& outside = "") {
  return event("assistant.message", id, parent,
               "\"messageId\":\"m-" + id + "\",\"model\":\"gpt-5\",\"content\":\"" + words + "\",\"apiCallId\":\"api-" +
                   id + "\",\"toolRequests\":[" + more + "]",
               outside);
}
std::string request(const std::string& call) {
  return "{\"toolCallId\":\"" + call + "\",\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}";
}
std::string usage(const std::string& id, const std::string& parent, const std::string& call, int output) {
  return event("session.usage_record", id, parent,
               "\"usage\":{\"model\":\"gpt-5\",\"inputTokens\":100,\"cacheReadTokens\":40,\"cacheWriteTokens\":2,"
               "\"reasoningTokens\":3,\"apiCallId\":\"" +
                   call + "\",\"outputTokens\":" + std::to_string(output) + "}");
}
std::string result(const std::string& id, const std::string& parent, const std::string& call) {
  return event("tool.execution_complete", id, parent,
               "\"toolCallId\":\"" + call + "\",\"success\":true,\"result\":{\"content\":\"ok\"}");
}

Readings read_events(const std::string& events) {
  MemoryFeed feed("home", {{kFolder + "events.jsonl", events}});
  return read_sessions(copilot_layout(), feed);
}
const Reading& only(const Readings& readings) { return *readings.begin()->second; }

TEST(CopilotReader, UsageJoinsItsAnswerBeforeOrAfter) {
  const auto readings =
      read_events(start("s0") + prompt("u1", "s0", "hi") + usage("g2", "u1", "api-a3", 7) + answer("a3", "g2", "one") +
                  answer("a4", "a3", "two") + usage("g5", "a4", "api-a4", 11) + usage("g6", "g5", "api-a4", 11) +
                  usage("g7", "g6", "api-lost", 13));
  const Session& session = only(readings).session;
  EXPECT_EQ(session.counts.assistant, 2);
  EXPECT_EQ(session.usage, (Usage{.input = 180, .output = 31, .cache_read = 120, .cache_write = 6, .reasoning = 9}));
  EXPECT_EQ(only(readings).messages.at(1).usage->output, 7);
}

TEST(CopilotReader, ReadsMinimalFile) {
  // Section 10 of the facts: no workspace.yaml, no turns, no usage.
  const auto readings = read_events(start("s0") + prompt("u1", "s0", "hello") + answer("a2", "u1", "hi"));
  EXPECT_EQ(script(only(readings)), (Lines{"user typed: hello", "assistant model: hi"}));
  const Session& session = only(readings).session;
  EXPECT_EQ(session.status, Status::active);
  EXPECT_EQ(session.project, "/home/dev/alpha");
  EXPECT_EQ(session.git_branch, "main");
  EXPECT_EQ(session.created_at, "2026-01-01T00:00:00.000Z");
}

TEST(CopilotReader, SubAgentsInTheFileAreSideMessages) {
  const std::string side = ",\"agentId\":\"sub\"";
  const auto readings =
      read_events(start("s0") + prompt("u1", "s0", "delegate") + answer("a2", "u1", "", request("c1")) +
                  event("subagent.started", "x3", "a2", "\"toolCallId\":\"c1\"", side) +
                  event("user.message", "u4", "x3", "\"content\":\"the task\",\"source\":\"agent-1\"", side) +
                  answer("a5", "u4", "done", "", side) + result("r6", "a5", "c1") + answer("a7", "r6", "It is done."));
  const Reading& reading = only(readings);
  EXPECT_EQ(reading.session.subagents, 1);
  EXPECT_EQ(reading.session.counts,
            (Counts{.user = 1, .assistant = 2, .tool_calls = 1, .tool_results = 1, .records = 6}));
  EXPECT_EQ(reading.messages.at(2).parent, "a2");
  EXPECT_EQ(reading.messages.at(3).parent, "u4");
  EXPECT_EQ(reading.messages.at(4).parent, "a2");  // the main agent's chain bypasses the sub-agent
  EXPECT_EQ(reading.messages.at(2).origin, Origin::typed);
}

TEST(CopilotReader, TurnDecidesWhatIsPending) {
  const auto end = [](const std::string& more) {
    return only(read_events(start("s0") + prompt("u1", "s0", "go") + more)).session.pending;
  };
  const std::string begun = event("assistant.turn_start", "t2", "u1", "\"turnId\":\"0\"");
  const std::string asked = begun + answer("a3", "t2", "", request("c1"));
  EXPECT_EQ(end(""), Pending::answer);
  EXPECT_EQ(end(begun), Pending::answer);
  EXPECT_EQ(end(asked), Pending::tool);
  EXPECT_EQ(end(asked + result("r4", "a3", "c1")), Pending::answer);
  const std::string ended = asked + result("r4", "a3", "c1") + event("assistant.turn_end", "e5", "r4", "");
  EXPECT_EQ(end(ended), Pending::answer);  // the next turn still had to read the result
  EXPECT_EQ(end(ended + event("abort", "b6", "e5", "\"reason\":\"user initiated\"")), Pending::none);
  EXPECT_EQ(end(asked + event("session.shutdown", "q4", "a3", "")), Pending::none);
  EXPECT_EQ(end(begun + event("assistant.turn_end", "e3", "t2", "")), Pending::none);
}

TEST(CopilotReader, UnknownEventsAreKept) {
  const auto readings =
      read_events(start("s0") + event("session.of_tomorrow", "z1", "s0", "\"x\":[1]") +
                  event("session.error", "z2", "z1", "\"message\":\"quota\"") +
                  event("session.compaction_complete", "z3", "z2", "\"summaryContent\":\"so far\"") +
                  event("user.message", "z4", "z3", "\"content\":\"injected\",\"source\":\"skill-pdf\"") +
                  "{\"type\":7,\"data\":[],\"id\":null}\n{}\n" + prompt("u5", "z4", "typed"));
  const Reading& reading = only(readings);
  ASSERT_EQ(reading.messages.size(), 7u);
  EXPECT_EQ(reading.messages[0].blocks.at(0).kind, BlockKind::other);
  EXPECT_NE(reading.messages[0].blocks.at(0).json.find("of_tomorrow"), std::string::npos);
  EXPECT_EQ(reading.messages[1].text(), "quota");
  EXPECT_EQ(reading.messages[2].origin, Origin::summary);
  EXPECT_EQ(reading.messages[3].origin, Origin::injected);
  EXPECT_EQ(reading.session.counts.user, 1);
  EXPECT_EQ(reading.session.first_prompt, "typed");
}

TEST(CopilotReader, LostRecordDoesNotHideEarlierMessages) {
  MemoryFeed feed("home",
                  {{kFolder + "events.jsonl", start("s0") + prompt("u1", "s0", "one") + answer("a2", "u1", "first") +
                                                  "{\"type\":\"user.mess\n" + answer("a4", "u3", "second")}});
  const auto readings = read_sessions(copilot_layout(), feed);
  EXPECT_EQ(only(readings).messages.back().parent, "a2");
  ASSERT_EQ(feed.findings.size(), 1u);
  EXPECT_EQ(feed.findings[0].kind, "orphan_message");
}

TEST(CopilotReader, FindsFoldersFilesAndLocks) {
  const std::string b = "session-state/bbbb", c = "session-state/cccc.jsonl";
  MemoryFeed feed("home", {{kFolder + "events.jsonl", ""},
                           {b + "/workspace.yaml",
                            "id: bbbb\ncwd: /home/dev/beta\nname: 'A: title'\nbranch: dev\n"
                            "created_at: 2026-01-01T00:00:00.000Z\n"},
                           {b + "/inuse.77.lock", "77"},
                           {c, start("s0") + prompt("u1", "s0", "flat")},
                           {"session-state/.session-operation-locks/x.lock", ""},
                           {"session-state/dddd/notes.md", ""}});
  EXPECT_TRUE(*copilot_layout().recognise(feed));
  const auto readings = read_sessions(copilot_layout(), feed);
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_EQ(readings.at(kA)->session.counts.records, 0);
  const Session& beta = readings.at("bbbb")->session;
  EXPECT_EQ(beta.title, "A: title");
  EXPECT_EQ(beta.project, "/home/dev/beta");
  EXPECT_EQ(beta.git_branch, "dev");
  EXPECT_EQ(beta.metadata, "{\"lock_files\":[\"inuse.77.lock\"]}");
  EXPECT_EQ(readings.at("cccc")->session.first_prompt, "flat");
  for (const auto& [id, reading] : readings) {
    const auto found = copilot_layout().locate(feed, id);
    ASSERT_TRUE(found && *found) << id;
    EXPECT_EQ((*found)->place, reading->ref.place);
    EXPECT_EQ((*found)->hint, reading->ref.hint);
  }
  for (const char* id : {"", "dddd", "eeee", "../session-state/bbbb", ".session-operation-locks"})
    EXPECT_FALSE(*copilot_layout().locate(feed, id)) << id;
}

}  // namespace
}  // namespace holdfast::corpus
