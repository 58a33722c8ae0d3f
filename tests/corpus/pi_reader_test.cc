// pi: versions and entries that the corpus does not contain.
#include <gtest/gtest.h>

#include "layout/pi/pi_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kId[] = "01a1dcc9-0000-7000-8000-00000000000a";
constexpr char kFolder[] = "sessions/--home-dev-alpha--/";

std::string log_of(const std::string& id) { return kFolder + std::string("2026-01-01T00-00-00-000Z_") + id + ".jsonl"; }
std::string header(const std::string& more = "") {
  return std::string(R"({"type":"session","version":3,"id":")") + kId +
         R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/alpha")" + more + "}\n";
}
// `more` begins with a comma.
std::string entry(const std::string& type, const std::string& id, const std::string& parent, const std::string& more) {
  const std::string before = parent.empty() ? "null" : "\"" + parent + "\"";
  return R"({"type":")" + type + R"(","id":")" + id + R"(","parentId":)" + before +
         R"(,"timestamp":"2026-01-01T00:00:01.000Z")" + more + "}\n";
}
std::string said(const std::string& id, const std::string& parent, const std::string& message) {
  return entry("message", id, parent, ",\"message\":{" + message + "}");
}
std::string user(const std::string& id, const std::string& parent, const std::string& text) {
  return said(id, parent, R"("role":"user","content":")" + text + "\"");
}
std::string answer(const std::string& id, const std::string& parent, const std::string& content,
                   const std::string& stop = "stop") {
  return said(id, parent,
              R"("role":"assistant","content":[)" + content +
                  R"(],"provider":"p","model":"m-1","usage":{"input":10,"output":5,"cacheRead":3,"cacheWrite":2,)"
                  R"("totalTokens":20,"cost":{"total":0.25}},"stopReason":")" +
                  stop + R"(","responseId":"resp_)" + id + "\"");
}
std::string text(const std::string& words) { return R"({"type":"text","text":")" + words + "\"}"; }
std::string call(const std::string& id) {
  return R"({"type":"toolCall","id":")" + id + R"(","name":"bash","arguments":{"command":"ls"}})";
}
std::string result(const std::string& id, const std::string& parent, const std::string& call) {
  return said(id, parent,
              R"("role":"toolResult","toolCallId":")" + call +
                  R"(","content":[{"type":"text","text":"one"},{"type":"image","mimeType":"image/png","data":""}],)"
                  R"("isError":true)");
}

Readings read_log(const std::string& log) {
  MemoryFeed feed("agent", {{log_of(kId), log}});
  return read_sessions(pi_layout(), feed);
}

TEST(PiReader, EveryEntryKindIsPartOfTheTree) {
  const auto readings = read_log(
      header() + entry("model_change", "e1", "", R"(,"provider":"p","modelId":"m-0")") +
      said("e2", "e1", R"("role":"system","content":"","sections":{"a":"b"},"toolsAdded":[{"name":"read"}])") +
      user("e3", "e2", "hello") +
      answer("e4", "e3", R"({"type":"thinking","thinking":"hm"},)" + text("Looking.") + "," + call("c1"), "toolUse") +
      result("e5", "e4", "c1") + answer("e6", "e5", text("Done.")) +
      entry("compaction", "e7", "e6",
            R"(,"summary":"so far","firstKeptEntryId":"e3","tokensBefore":9,"usage":{"input":1,"output":4})") +
      entry("custom", "e8", "e7", R"(,"customType":"x","data":{})") +
      entry("custom_message", "e9", "e8", R"(,"customType":"x","content":"by the way","display":true)") +
      entry("label", "f1", "e9", R"(,"targetId":"e3","label":"here")") +
      entry("session_info", "f2", "f1", R"(,"name":"A name")") +
      entry("branch_summary", "f3", "f2", R"(,"fromId":"e6","summary":"the other way")") +
      said("f4", "f3", R"("role":"bashExecution","command":"ls","output":"a\nb","exitCode":0)") +
      entry("something_new", "f5", "f4", "") + said("f6", "f5", R"("role":"new_role","content":"?")"));
  const Reading& reading = *readings.at(kId);
  EXPECT_EQ(script(reading),
            (Lines{"system injected: [other]", "system injected: [other]", "user typed: hello",
                   "assistant model: [thinks hm] Looking. [call bash c1 {\"command\":\"ls\"}] (5)",
                   "tool tool: [error c1 one] [image image/png]", "assistant model: Done. (5)",
                   "user summary: so far (4)", "system injected: [other]", "user injected: by the way",
                   "system injected: [other]", "system injected: [other]", "system summary: the other way",
                   "user command: !ls\na\nb", "system injected: [other]", "user notice: ?"}));
  const Session& session = reading.session;
  EXPECT_EQ(session.counts.user, 1);
  EXPECT_EQ(session.counts.assistant, 2);
  EXPECT_EQ(session.usage, (Usage{.input = 20, .output = 10, .cache_read = 6, .cache_write = 4}));
  EXPECT_EQ(session.title, "A name");
  EXPECT_EQ(session.models, (Lines{"m-1"}));
  EXPECT_EQ(session.project, "/home/dev/alpha");
  EXPECT_EQ(session.created_at, "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(reading.messages[3].cost, "0.25");
  EXPECT_EQ(reading.messages[3].response, "resp_e4");
  for (std::size_t at = 1; at < reading.messages.size(); ++at)
    EXPECT_EQ(reading.messages[at].parent, reading.messages[at - 1].id);
}

TEST(PiReader, ActiveBranchEndsInTheLastEntry) {
  const auto readings = read_log(header() + user("e1", "", "one") + answer("e2", "e1", text("x")) +
                                 user("e3", "e2", "left") + answer("e4", "e3", text("y")) + user("e5", "e2", "taken"));
  const Reading& reading = *readings.at(kId);
  EXPECT_EQ(reading.session.counts.user, 3);
  EXPECT_EQ(reading.session.pending, Pending::answer);
  EXPECT_EQ(reading.messages[4].parent, "e2");
  EXPECT_TRUE(reading.leaf_id.empty());  // the last entry
  const auto moved = read_log(header() + user("e1", "", "one") + user("e2", "e1", "two") +
                              entry("leaf", "e3", "e2", R"(,"targetId":"e1")"));
  EXPECT_EQ(moved.at(kId)->leaf_id, "e1");
  const auto gone_on = read_log(header() + user("e1", "", "one") + user("e2", "e1", "two") +
                                entry("leaf", "e3", "e2", R"(,"targetId":"e1")") + user("e4", "e1", "three"));
  EXPECT_TRUE(gone_on.at(kId)->leaf_id.empty());
}

TEST(PiReader, ReadsFirstVersionWithoutIds) {
  const auto readings =
      read_log(R"({"type":"session","id":"x","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"})"
               "\n"
               R"({"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}})"
               "\n"
               R"({"type":"message","message":{"role":"hookMessage","content":"hook","timestamp":1735689602000}})"
               "\n");
  const Reading& reading = *readings.at(kId);
  EXPECT_EQ(script(reading), (Lines{"user typed: hi", "user injected: hook"}));
  EXPECT_EQ(reading.session.updated_at, "2025-01-01T00:00:02.000Z");
}

TEST(PiReader, FailedAnswerIsNotCountedAndLeavesNothingPending) {
  const auto readings =
      read_log(header() + user("e1", "", "one") +
               said("e2", "e1",
                    R"("role":"assistant","content":[],"model":"m-1","stopReason":"error","errorMessage":"overloaded",)"
                    R"("usage":{"input":0,"output":9})"));
  const Reading& reading = *readings.at(kId);
  EXPECT_EQ(script(reading), (Lines{"user typed: one", "assistant model failed: overloaded (9)"}));
  EXPECT_EQ(reading.session.counts.assistant, 0);
  EXPECT_EQ(reading.session.usage.output, 0);
  EXPECT_TRUE(reading.session.models.empty());
  EXPECT_EQ(reading.session.status, Status::active);
}

TEST(PiReader, KilledSessionReportsPendingWork) {
  const auto pending = [](const std::string& log) { return read_log(header() + log).at(kId)->session.pending; };
  const std::string asked = user("e1", "", "one") + answer("e2", "e1", call("c1"), "toolUse");
  EXPECT_EQ(pending(user("e1", "", "one") + entry("custom", "e2", "e1", "")), Pending::answer);
  EXPECT_EQ(pending(asked), Pending::tool);
  EXPECT_EQ(pending(asked + result("e3", "e2", "c1")), Pending::answer);
  EXPECT_EQ(pending(asked + result("e3", "e2", "c1") + answer("e4", "e3", text("x"))), Pending::none);
  // The user stopped it: calls that were never made get no result.
  EXPECT_EQ(pending(user("e1", "", "one") + answer("e2", "e1", call("c1"), "aborted")), Pending::none);
  EXPECT_EQ(pending(asked + answer("e3", "e2", text("x"), "aborted")), Pending::none);
}

TEST(PiReader, ForkParentComesFromFileName) {
  const auto parent = [](const std::string& path) {
    return read_log(header(R"(,"parentSession":")" + path + "\"") + user("e1", "", "x")).at(kId)->session.parent;
  };
  const Parent expected{"01a1dcc9-0000-7000-8000-00000000000b", ParentKind::fork, {}};
  EXPECT_EQ(parent("/gone/sessions/--p--/2025-12-31T00-00-00-000Z_01a1dcc9-0000-7000-8000-00000000000b.jsonl"),
            expected);
  EXPECT_EQ(parent("C:\\\\x\\\\2025-12-31T00-00-00-000Z_01a1dcc9-0000-7000-8000-00000000000b.jsonl"), expected);
  EXPECT_EQ(parent("some-id"), (Parent{"some-id", ParentKind::fork, {}}));
}

TEST(PiReader, DoesNotReadOutputsOutsideTheStore) {
  MemoryFeed feed("agent", {{log_of(kId), header() + said("e1", "",
                                                          R"("role":"toolResult","toolCallId":"c1","content":)"
                                                          R"([{"type":"text","text":"end"}],"details":)"
                                                          R"({"fullOutputPath":"/tmp/pi-bash-1.log"})")},
                            {"auth.json", "secret"}});
  EXPECT_EQ(read_sessions(pi_layout(), feed).at(kId)->messages[0].blocks[0].text, "end");
  for (const Place& place : feed.asked) EXPECT_EQ(place.path, log_of(kId));
}

TEST(PiReader, FilesWithOtherNamesAreIdentifiedByHeader) {
  MemoryFeed feed("agent", {{"sessions/mine.jsonl", header()},
                            {"sessions/p/torn.jsonl", "{\"type\":"},
                            {std::string(kFolder) + "2026-01-01T00-00-00-000Z_my_own_id.jsonl", ""},
                            {"sessions/p/notes.txt", ""}});
  const auto readings = read_sessions(pi_layout(), feed);
  EXPECT_EQ(readings.size(), 3u);
  EXPECT_TRUE(readings.contains(kId));
  EXPECT_TRUE(readings.contains("torn"));
  EXPECT_TRUE(readings.contains("my_own_id"));
  feed.asked.clear();
  std::vector<SessionRef> found;
  const auto take = [&](SessionRef ref) {
    found.push_back(std::move(ref));
    return true;
  };
  ASSERT_TRUE(pi_layout().locate_all(feed, "my_own_id", take));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].project, "--home-dev-alpha--");
  ASSERT_TRUE(pi_layout().locate_all(feed, "nobody", take));
  EXPECT_EQ(found.size(), 1u);
  EXPECT_TRUE(feed.asked.empty());
}

}  // namespace
}  // namespace holdfast::corpus
