// Qwen Code: versions and records that the corpus does not contain.
#include <gtest/gtest.h>

#include "layout/qwen/qwen_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kChats[] = "projects/-home-dev-alpha/chats/";
constexpr char kA[] = "aaaaaaaa-1111-4222-8333-444444444444";
constexpr char kB[] = "bbbbbbbb-1111-4222-8333-444444444444";

std::string log_of(const std::string& id) { return kChats + id + ".jsonl"; }

// The fields that every version writes; `more` begins with a comma.
std::string record(const std::string& type, const std::string& uuid, const std::string& parent,
                   const std::string& more) {
  const std::string before = parent.empty() ? "null" : "\"" + parent + "\"";
  return "{\"uuid\":\"" + uuid + "\",\"parentUuid\":" + before + ",\"sessionId\":\"" + kA +
         "\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"" + type +
         "\",\"cwd\":\"/home/dev/alpha\",\"version\":\"0.15.10\",\"gitBranch\":\"main\"" + more + "}\n";
}
std::string parts(const std::string& role, const std::string& list) {
  return ",\"message\":{\"role\":\"" + role + "\",\"parts\":[" + list + "]}";
}
std::string text(const std::string& words) { return "{\"text\":\"" + words + "\"}"; }
std::string call(const std::string& id) {
  return "{\"functionCall\":{\"id\":\"" + id + "\",\"name\":\"read_file\",\"args\":{}}}";
}
std::string usage(int output) {
  return ",\"usageMetadata\":{\"promptTokenCount\":100,\"candidatesTokenCount\":" + std::to_string(output) +
         ",\"thoughtsTokenCount\":2,\"cachedContentTokenCount\":40}";
}
std::string user(const std::string& uuid, const std::string& parent, const std::string& words,
                 const std::string& more = "") {
  return record("user", uuid, parent, parts("user", text(words)) + more);
}
std::string answer(const std::string& uuid, const std::string& parent, const std::string& list,
                   const std::string& more) {
  return record("assistant", uuid, parent, ",\"model\":\"qwen3-coder\"" + parts("model", list) + more);
}
std::string result(const std::string& uuid, const std::string& parent, const std::string& id, const std::string& output,
                   const std::string& more = "") {
  return record("tool_result", uuid, parent,
                parts("user", "{\"functionResponse\":{\"id\":\"" + id +
                                  "\",\"name\":\"read_file\",\"response\":{\"output\":\"" + output + "\"}}}") +
                    more);
}
std::string system(const std::string& uuid, const std::string& parent, const std::string& subtype,
                   const std::string& payload) {
  return record("system", uuid, parent, ",\"subtype\":\"" + subtype + "\",\"systemPayload\":" + payload);
}

Readings read_log(const std::string& log) {
  MemoryFeed feed("home", {{log_of(kA), log}});
  return read_sessions(qwen_layout(), feed);
}

TEST(QwenReader, ReadsOldChatWithoutProvenance) {
  const auto readings = read_log(
      user("u1", "", "read it") + system("s1", "u1", "ui_telemetry", R"({"uiEvent":{"output_token_count":999}})") +
      answer("a1", "s1", R"({"text":"hm","thought":true},)" + text("Reading.") + "," + call("c1") + "," + call("c2"),
             usage(7)) +
      result("r1", "a1", "c1", "one") +
      result("r2", "r1", "c2", "no", R"(,"toolCallResult":{"callId":"c2","status":"error"})") +
      answer("a2", "r2", text("Done."), usage(5)) + user("u2", "a2", "<system-reminder>x</system-reminder>"));
  const Reading& reading = *readings.at(kA);
  EXPECT_EQ(script(reading),
            (Lines{"user typed: read it", "system injected: [other]",
                   "assistant model: [thinks hm] Reading. [call read_file c1 {}] [call read_file c2 {}] (7)",
                   "tool tool: [result c1 one]", "tool tool: [error c2 no]", "assistant model: Done. (5)",
                   "user injected: <system-reminder>x</system-reminder>"}));
  EXPECT_EQ(reading.session.usage, (Usage{.input = 120, .output = 12, .cache_read = 80, .reasoning = 4}));
  EXPECT_EQ(reading.session.counts,
            (Counts{.user = 1, .assistant = 2, .tool_calls = 2, .tool_results = 2, .records = 7}));
  EXPECT_EQ(reading.session.models, (Lines{"qwen3-coder"}));
  EXPECT_EQ(reading.session.project, "/home/dev/alpha");
  EXPECT_EQ(reading.session.git_branch, "main");
  EXPECT_EQ(reading.messages[5].parent, "r2");
  EXPECT_EQ(reading.session.status, Status::active);
}

TEST(QwenReader, DistinguishesTypedAndInjectedPrompts) {
  const auto readings =
      read_log(user("u1", "", "typed", R"(,"provenance":"real_user")") +
               user("u2", "u1", "goal", R"(,"provenance":"goal_runtime","subtype":"goal_runtime")") +
               user("u3", "u2", "finished", R"(,"provenance":"system","subtype":"notification")") +
               user("u4", "u3", "wait", R"(,"provenance":"real_user","subtype":"mid_turn_user_message")") +
               user("u5", "u4", "every day", R"(,"subtype":"cron")") +
               user("u6", "u5", "go on", R"(,"provenance":"goal_control")") +
               system("s1", "u6", "slash_command", R"({"phase":"invocation","rawCommand":"/about"})") +
               system("s2", "s1", "slash_command", R"({"phase":"result","rawCommand":"/about"})") +
               system("s3", "s2", "chat_compression",
                      R"({"info":{},"compressedHistory":[{"role":"user","parts":[{"text":"so far"}]}]})") +
               system("s4", "s3", "custom_title", R"({"customTitle":"A name"})"));
  const Reading& reading = *readings.at(kA);
  EXPECT_EQ(script(reading),
            (Lines{"user typed: typed", "user injected: goal", "user injected: finished", "user typed: wait",
                   "user injected: every day", "user injected: go on", "user command: /about",
                   "system command: [other]", "user summary: so far", "system injected: [other]"}));
  EXPECT_EQ(reading.session.counts.user, 2);
  EXPECT_EQ(reading.session.title, "A name");
}

TEST(QwenReader, ResponseInSeveralRecordsCountsOnce) {
  const auto answers = [](const std::string& log) { return read_log(log).at(kA)->session.counts.assistant; };
  const std::string prompt = user("u1", "", "go");
  EXPECT_EQ(answers(prompt + answer("a1", "u1", text("x"), usage(3)) + answer("a2", "a1", call("c1"), "")), 1);
  EXPECT_EQ(answers(prompt + answer("a1", "u1", text("x"), "") + answer("a2", "a1", call("c1"), usage(3))), 1);
  EXPECT_EQ(answers(prompt + answer("a1", "u1", call("c1"), usage(3)) + answer("a2", "a1", call("c2"), usage(3))), 2);
  EXPECT_EQ(answers(prompt + answer("a1", "u1", call("c1"), usage(3)) + result("r1", "a1", "c1", "o") +
                    answer("a2", "r1", text("y"), "")),
            2);
}

TEST(QwenReader, KilledSessionReportsPendingWork) {
  const auto pending = [](const std::string& log) { return read_log(log).at(kA)->session.pending; };
  const std::string prompt = user("u1", "", "go") + system("s1", "u1", "attribution_snapshot", "{}");
  const std::string asked = prompt + answer("a1", "s1", call("c1") + "," + call("c2"), usage(3));
  EXPECT_EQ(pending(prompt), Pending::answer);
  EXPECT_EQ(pending(asked), Pending::tool);
  EXPECT_EQ(pending(asked + result("r1", "a1", "c1", "o")), Pending::tool);
  EXPECT_EQ(pending(asked + result("r1", "a1", "c1", "o") + result("r2", "r1", "c2", "o")), Pending::answer);
  EXPECT_EQ(pending(asked + user("u2", "a1", "again") + answer("a2", "u2", text("x"), usage(1))), Pending::none);
  EXPECT_EQ(pending(asked + system("w", "", "rewind", R"({"truncatedCount":2})")), Pending::none);
  EXPECT_EQ(read_log("").at(kA)->session.status, Status::interrupted);
}

// /rewind makes another branch: everything stays, and the chain shows which branch continues.
TEST(QwenReader, RewindKeepsAllBranches) {
  const auto readings = read_log(user("u1", "", "one") + answer("a1", "u1", text("x"), usage(1)) +
                                 user("u2", "a1", "wrong") + answer("a2", "u2", text("y"), usage(1)) +
                                 system("w", "a1", "rewind", R"({"truncatedCount":2})") + user("u3", "w", "right"));
  const Reading& reading = *readings.at(kA);
  EXPECT_EQ(reading.session.counts.user, 3);
  EXPECT_EQ(reading.session.usage.output, 2);
  ASSERT_EQ(reading.messages.size(), 6u);
  EXPECT_EQ(reading.messages[4].parent, "a1");
  EXPECT_EQ(reading.messages[5].parent, "w");
}

TEST(QwenReader, ReadsSubAgentsForksAndStartedSessions) {
  const std::string folder = std::string("projects/-home-dev-alpha/subagents/") + kA + "/agent-";
  MemoryFeed feed(
      "home",
      {{log_of(kA), user("u1", "", "go") + answer("a1", "u1", call("c1"), usage(1)) +
                        result("r1", "a1", "c1", "o",
                               R"(,"toolCallResult":{"callId":"c1","resultDisplay":{"type":"task_execution"}})")},
       {log_of(kB), user("u1", "", "go", std::string(R"(,"forkedFrom":{"sessionId":")") + kA + "\"}")},
       {log_of("started"), system("s1", "", "parent_session", R"({"parentSessionId":"x1"})") + user("u1", "s1", "go")},
       {folder + "explore-c1.jsonl", user("t1", "", "the task", R"(,"agentId":"explore-c1","isSidechain":true)") +
                                         user("t2", "t1", "more", R"(,"isSidechain":true)")},
       {folder + "explore-c1.meta.json", R"({"description":"Look around","parentAgentId":null})"},
       {folder + "deep-c2.jsonl", user("t1", "", "the task")},
       {folder + "deep-c2.meta.json", R"({"parentAgentId":"explore-c1"})"}});
  const auto readings = read_sessions(qwen_layout(), feed);
  ASSERT_EQ(readings.size(), 5u);
  EXPECT_EQ(readings.at(kA)->session.subagents, 2);
  EXPECT_EQ(readings.at(kB)->session.parent, (Parent{kA, ParentKind::fork, {}}));
  EXPECT_EQ(readings.at("started")->session.parent, (Parent{"x1", ParentKind::subagent, {}}));
  const Reading& agent = *readings.at("explore-c1");
  EXPECT_EQ(agent.session.parent, (Parent{kA, ParentKind::subagent, {}}));
  EXPECT_EQ(agent.session.title, "Look around");
  EXPECT_EQ(script(agent), (Lines{"user typed: the task", "user injected: more"}));
  EXPECT_EQ(readings.at("deep-c2")->session.parent, (Parent{"explore-c1", ParentKind::subagent, {}}));
  // Versions without transcripts of sub-agents still have their results.
  std::erase_if(feed.files, [](const auto& file) { return file.first.path.find("/subagents/") != std::string::npos; });
  EXPECT_EQ(read_sessions(qwen_layout(), feed).at(kA)->session.subagents, 1);
}

TEST(QwenReader, LargeResultsAreReadFromTheStoreOnly) {
  const auto block = [](MemoryFeed& feed, bool whole = true) {
    return read_sessions(qwen_layout(), feed, {.whole = whole}).at(kA)->messages[0].blocks[0];
  };
  const auto log = [](const std::string& path) {
    return result("r1", "", "c1",
                  "Tool output was too large.\\nThe full output has been saved to: " + path + "\\nhead");
  };
  MemoryFeed feed("home", {{log_of(kA), log("/elsewhere/.qwen/tmp/0123ab/shell_1.output")},
                           {"tmp/0123ab/shell_1.output", "all of it"},
                           {"secret.output", "never"}});
  EXPECT_EQ(block(feed).text, "all of it");
  EXPECT_EQ(block(feed).spilled, "tmp/0123ab/shell_1.output");
  EXPECT_TRUE(block(feed, false).text.ends_with("head"));
  for (const char* path : {"/x/tmp/../secret.output", "/etc/passwd", "/x/tmp/0123ab/..", "secret.output"}) {
    feed.put({"home", log_of(kA)}, log(path));
    feed.asked.clear();
    EXPECT_TRUE(block(feed).spilled.empty()) << path;
    EXPECT_EQ(feed.asked.size(), 1u) << path;
  }
  EXPECT_TRUE(feed.findings.empty());
  feed.put({"home", log_of(kA)}, log("/x/tmp/0123ab/gone.output"));
  EXPECT_TRUE(block(feed).text.ends_with("head"));
  EXPECT_EQ(feed.findings.at(0).kind, "missing");
}

TEST(QwenReader, LocatesIdWithoutReadingLogs) {
  const std::string outside = "../chats/" + std::string(kB);  // found by code that does not check names
  const std::string copy = "projects/-home-dev-beta/chats/" + std::string(kB) + ".jsonl";
  MemoryFeed feed("home", {{log_of(kA), ""}, {log_of(kB), user("u1", "", "x")}, {log_of(outside), ""}, {copy, ""}});
  const auto located = [&](std::string_view id) {
    std::vector<SessionRef> all;
    const auto take = [&](SessionRef ref) { return all.push_back(std::move(ref)), true; };
    EXPECT_TRUE(qwen_layout().locate_all(feed, id, take));
    return all;
  };
  const auto found = located(kB);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].place.path, log_of(kB));
  EXPECT_EQ(found[0].project, "-home-dev-alpha");
  EXPECT_EQ(found[1].place.path, copy);
  EXPECT_TRUE(located("cccc").empty());
  EXPECT_TRUE(located(outside).empty());
  EXPECT_TRUE(feed.asked.empty());
}

}  // namespace
}  // namespace holdfast::corpus
