// Gemini CLI: versions and operations that the corpus does not contain.
#include <gtest/gtest.h>

#include "layout/gemini/gemini_layout.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kDocument[] = "0d0d0d0d-1111-4222-8333-444444444444";
constexpr char kUnanswered[] = "0e0e0e0e-1111-4222-8333-444444444444";
constexpr char kLog[] = "0f0f0f0f-1111-4222-8333-444444444444";
constexpr char kChats[] = "tmp/alpha/chats/";

TEST(GeminiReader, ReadsDocumentsOfOldVersions) {
  MemoryFeed feed = fixture_feed(gemini_layout(), "gemini");
  EXPECT_TRUE(*gemini_layout().recognise(feed));
  const auto readings = read_sessions(gemini_layout(), feed);
  const Reading& reading = *readings.at(kDocument);
  EXPECT_EQ(script(reading),
            (Lines{"user typed: list the files",
                   "assistant model: [thinks Looking\nFiles first.] I will look. [call list_directory list_directory-1 "
                   "{\n            \"path\": \".\"\n          }] [call run_shell_command run-2 {\n            "
                   "\"command\": \"false\"\n          }] (20)",
                   "tool tool: [result list_directory-1 main.cpp] [error run-2 exit 1]",
                   "assistant model: There is main.cpp. (9)", "system notice: Request cancelled."}));
  EXPECT_EQ(reading.session.usage,
            (Usage{.input = 555, .output = 29, .cache_read = 100, .reasoning = 7, .reasoning_apart = 7}));
  EXPECT_EQ(reading.session.models, (Lines{"gemini-2.5-pro", "gemini-2.5-flash"}));
  EXPECT_EQ(reading.session.project, "/home/dev/proj/alpha");  // found by its hash
  EXPECT_EQ(reading.session.status, Status::active);
  EXPECT_EQ(readings.at(kUnanswered)->session.pending, Pending::answer);
}

TEST(GeminiReader, ReadsRewindsUpsertsCommandsAndSummaries) {
  MemoryFeed feed = fixture_feed(gemini_layout(), "gemini");
  const auto readings = read_sessions(gemini_layout(), feed);
  const Reading& reading = *readings.at(kLog);
  EXPECT_EQ(script(reading),
            (Lines{"user injected: <session_context>\nToday.\n</session_context>", "user typed: first question",
                   "assistant model: first answer (11)", "user command: /stats model",
                   "user typed abandoned: wrong question", "assistant model abandoned: wrong answer (13)",
                   "user typed: better question", "assistant model: [call read_file read-1 {\"path\":\"a\"}] (17)"}));
  EXPECT_EQ(reading.session.usage.output, 41);
  EXPECT_EQ(reading.session.pending, Pending::tool);
  EXPECT_EQ(reading.session.title, "Questions and answers");
}

std::string header(const std::string& session) {
  return "{\"sessionId\":\"" + session + "\",\"startTime\":\"2026-01-01T00:00:00.000Z\",\"kind\":\"main\"}\n";
}
std::string message(const std::string& id, const std::string& type, const std::string& text) {
  return "{\"id\":\"" + id + "\",\"type\":\"" + type + "\",\"content\":\"" + text + "\"}\n";
}

TEST(GeminiReader, UnknownRewindAbandonsEverything) {
  MemoryFeed feed("home", {{std::string(kChats) + "session-2026-01-01T00-00-aaaaaaaa.jsonl",
                            header("aaaaaaaa-1") + message("u", "user", "q") + "{\"$rewindTo\":\"nobody\"}\n" +
                                message("v", "user", "r")}});
  EXPECT_EQ(script(*read_sessions(gemini_layout(), feed).at("aaaaaaaa-1")),
            (Lines{"user typed abandoned: q", "user typed: r"}));
}

TEST(GeminiReader, CompressedHistoryStaysVisible) {
  MemoryFeed feed("home", {{std::string(kChats) + "session-2026-01-01T00-00-aaaaaaaa.jsonl",
                            header("aaaaaaaa-1") + message("u", "user", "q") + message("g", "gemini", "a") +
                                "{\"$set\":{\"messages\":[{\"id\":\"s\",\"type\":\"user\",\"content\":"
                                "\"<state_snapshot>short</state_snapshot>\"}]}}\n" +
                                message("v", "user", "r")}});
  EXPECT_EQ(script(*read_sessions(gemini_layout(), feed).at("aaaaaaaa-1")),
            (Lines{"user typed: q", "assistant model: a", "user summary: <state_snapshot>short</state_snapshot>",
                   "user typed: r"}));
}

TEST(GeminiReader, IgnoresResumeStubsAndJoinsSecondFile) {
  const std::string context = message("c", "user", "<session_context>x</session_context>");
  MemoryFeed feed("home",
                  {{std::string(kChats) + "session-2026-01-01T00-00-aaaaaaaa.jsonl",
                    header("aaaaaaaa-1") + message("u", "user", "q") + message("g", "gemini", "a")},
                   {std::string(kChats) + "session-2026-01-01T00-05-aaaaaaaa.jsonl", header("aaaaaaaa-1") + context},
                   {std::string(kChats) + "session-2026-01-01T00-09-aaaaaaaa.jsonl",
                    header("aaaaaaaa-1") + context + message("w", "user", "more")}});
  const auto readings = read_sessions(gemini_layout(), feed);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(script(*readings.at("aaaaaaaa-1")),
            (Lines{"user typed: q", "assistant model: a", "user injected: <session_context>x</session_context>",
                   "user typed: more"}));
}

// The client copies a folder named by a hash to one with a readable name, and continues there.
TEST(GeminiReader, SessionCopiedFromHashFolderIsListedOnce) {
  const std::string hashed = "tmp/" + std::string(64, 'a') + "/chats/",
                    name = "session-2026-01-01T00-00-aaaaaaaa.jsonl";
  const std::string begun = header("aaaaaaaa-1") + message("u", "user", "q");
  MemoryFeed feed(
      "home", {{hashed + name, begun},
               {hashed + "session-2026-01-01T00-00-bbbbbbbb.jsonl", header("bbbbbbbb-1") + message("w", "user", "s")},
               {kChats + name, begun + message("v", "gemini", "r")}});
  const auto readings = read_sessions(gemini_layout(), feed);
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(script(*readings.at("aaaaaaaa-1")), (Lines{"user typed: q", "assistant model: r"}));
  EXPECT_EQ(script(*readings.at("bbbbbbbb-1")), (Lines{"user typed: s"}));
}

TEST(GeminiReader, FileWithoutHeaderIsNamedByItsFileName) {
  MemoryFeed feed("home",
                  {{std::string(kChats) + "session-2026-01-01T00-00-bbbbbbbb.jsonl", message("u", "user", "q")}});
  const auto readings = read_sessions(gemini_layout(), feed);
  ASSERT_TRUE(readings.contains("bbbbbbbb"));
  EXPECT_EQ(readings.at("bbbbbbbb")->session.counts.user, 1);
}

TEST(GeminiReader, TornDocumentKeepsIntactMessages) {
  MemoryFeed feed = fixture_feed(gemini_layout(), "gemini");
  for (auto& [place, bytes] : feed.files) {
    if (place.path.ends_with("0d0d0d0d.json")) bytes.resize(bytes.find("There is main"));
  }
  const auto readings = read_sessions(gemini_layout(), feed);
  const Reading& reading = *readings.at(kDocument);
  EXPECT_EQ(reading.session.counts.user, 1);
  EXPECT_EQ(reading.session.counts.assistant, 1);
  ASSERT_EQ(feed.findings.size(), 1u);
  EXPECT_EQ(feed.findings[0].kind, "torn");
}

TEST(GeminiReader, LargeResultsAreReadFromTheStoreOnly) {
  const auto log = [](const std::string& path) {
    return header("aaaaaaaa-1") +
           "{\"id\":\"r\",\"type\":\"user\",\"content\":[{\"functionResponse\":{\"id\":\"c1\",\"response\":{\"output\":"
           "\"Output too large. For full output see: " +
           path + "\\nhead\"}}}]}\n";
  };
  const std::string file = std::string(kChats) + "session-2026-01-01T00-00-aaaaaaaa.jsonl";
  MemoryFeed feed("home", {{file, log("/home/x/.gemini/tmp/alpha/tool-outputs/session-a/c1.txt")},
                           {"tmp/alpha/tool-outputs/session-a/c1.txt", "all of it"},
                           {"secret", "never"}});
  const Block whole = read_sessions(gemini_layout(), feed).at("aaaaaaaa-1")->messages[0].blocks[0];
  EXPECT_EQ(whole.text, "all of it");
  EXPECT_EQ(whole.spilled, "tmp/alpha/tool-outputs/session-a/c1.txt");
  const Block preview = read_sessions(gemini_layout(), feed, {.whole = false}).at("aaaaaaaa-1")->messages[0].blocks[0];
  EXPECT_TRUE(preview.text.ends_with("head"));
  feed.put({"home", file}, log("/x/tool-outputs/../../../secret"));
  EXPECT_TRUE(read_sessions(gemini_layout(), feed).at("aaaaaaaa-1")->messages[0].blocks[0].spilled.empty());
}

}  // namespace
}  // namespace holdfast::corpus
