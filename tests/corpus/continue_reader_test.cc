// Continue: shapes that the corpus does not contain, and damaged documents.
#include <gtest/gtest.h>

#include <random>

#include "layout/continue_dev/continue_layout.h"
#include "layout/continue_dev/history.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

constexpr char kIndex[] =
    "[{\"sessionId\":\"a\",\"title\":\"From the index\",\"dateCreated\":\"1794705956743\","
    "\"workspaceDirectory\":\"/home/dev/alpha\",\"messageCount\":2}]";

std::string element(const std::string& role, const std::string& words, const std::string& more = "") {
  return "{\"message\":{\"role\":\"" + role + "\",\"content\":\"" + words + "\"" + more + "},\"contextItems\":[]}";
}
std::string document(const Lines& elements) {
  std::string text = "{\"sessionId\":\"a\",\"title\":\"Mine\",\"workspaceDirectory\":\"/home/dev/alpha\",\"history\":[";
  for (std::size_t i = 0; i < elements.size(); ++i) text += (i > 0 ? ",\n" : "\n") + elements[i];
  return text + "],\"usage\":{}}";
}
Readings read_text(const std::string& text, MemoryFeed* out = nullptr) {
  MemoryFeed feed("home", {{"sessions/a.json", text}, {"sessions/sessions.json", kIndex}});
  auto readings = read_sessions(continue_layout(), feed);
  if (out != nullptr) *out = feed;
  return readings;
}
const Reading& only(const Readings& readings) { return *readings.begin()->second; }

const std::string kCall =
    ",\"toolCalls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"Bash\","
    "\"arguments\":\"{\\\"command\\\":\\\"ls\\\"}\"}}]";

TEST(ContinueReader, ReadsToolResultsFromStatesAndElements) {
  const std::string state =
      ",\"toolCallStates\":[{\"toolCallId\":\"c1\",\"status\":\"errored\",\"output\":["
      "{\"content\":\"one\"},{\"content\":\"two\"}]}]}";
  const std::string asked = element("assistant", "", kCall);
  const std::string with_state = asked.substr(0, asked.size() - 1) + state;
  const auto inside = read_text(document({element("user", "go"), with_state}));
  const Message& result = only(inside).messages.back();
  EXPECT_EQ(result.role, Role::tool);
  EXPECT_EQ(result.blocks.at(0).text, "one\ntwo");
  EXPECT_TRUE(result.blocks.at(0).is_error);
  EXPECT_EQ(only(inside).messages.at(1).blocks.at(0).json, "{\"command\":\"ls\"}");
  const auto beside = read_text(document({with_state, element("tool", "own", ",\"toolCallId\":\"c1\"")}));
  EXPECT_EQ(only(beside).messages.size(), 2u);
  EXPECT_EQ(only(beside).messages.back().blocks.at(0).text, "own");
  const auto open = read_text(document({asked}));
  EXPECT_EQ(only(open).session.pending, Pending::tool);
}

TEST(ContinueReader, ReadsPartsThinkingAndSummaries) {
  const std::string parts =
      "{\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"look\"},{\"type\":\"imageUrl\","
      "\"imageUrl\":{\"url\":\"data:image/png;base64,AAAA\"}}]},\"contextItems\":[{\"name\":\"x\"}],"
      "\"conversationSummary\":\"so far\"}";
  const auto readings = read_text(document({element("system", "rules"), parts, element("thinking", "hm"),
                                            element("assistant", "yes"), element("of_tomorrow", "?"), "7"}));
  const Reading& reading = only(readings);
  EXPECT_EQ(reading.session.counts.user, 1);
  EXPECT_EQ(reading.session.counts.assistant, 1);
  EXPECT_EQ(reading.session.first_prompt, "look");
  EXPECT_EQ(reading.messages.at(1).blocks.at(1).media_type, "image/png");
  EXPECT_EQ(reading.messages.at(1).blocks.at(2).kind, BlockKind::other);
  EXPECT_EQ(reading.messages.at(2).origin, Origin::summary);
  EXPECT_EQ(reading.messages.at(3).blocks.at(0).kind, BlockKind::thinking);
  EXPECT_EQ(reading.messages.at(5).blocks.at(0).kind, BlockKind::other);
}

TEST(ContinueReader, TornDocumentKeepsIntactMessages) {
  const std::string whole = document({element("user", "one"), element("assistant", "first"), element("user", "two")});
  MemoryFeed feed;
  EXPECT_EQ(script(only(read_text(whole.substr(0, whole.find("two")), &feed))),
            (Lines{"user typed: one", "assistant model: first"}));
  ASSERT_EQ(feed.findings.size(), 1u);
  EXPECT_EQ(feed.findings[0].kind, "torn");
  // The agent truncates before it writes: the index still has the values.
  const auto empty = read_text("", &feed);
  EXPECT_EQ(only(empty).session.title, "From the index");
  EXPECT_EQ(only(empty).session.project, "/home/dev/alpha");
  EXPECT_EQ(only(empty).session.created_at.substr(0, 10), "2026-11-15");
  EXPECT_TRUE(feed.findings.empty()) << "that a file has no byte is said of all layouts in one place (empty_session)";
}

TEST(ContinueReader, DamageInOneElementHidesNoOther) {
  Lines elements;
  for (int i = 0; i < 30; ++i) {
    elements.push_back(element(i % 2 == 0 ? "user" : "assistant", "words { \\\"message\\\": {" + std::to_string(i)));
  }
  const std::string whole = document(elements);
  const auto texts = [](const Reading& reading) {
    Lines all;
    for (const Message& message : reading.messages) all.push_back(message.text());
    return all;
  };
  const Lines before = texts(only(read_text(whole)));
  ASSERT_EQ(before.size(), 30u);
  std::mt19937 random(5);
  for (int round = 0; round < 600; ++round) {
    const std::size_t victim = random() % 30;
    const std::size_t from = whole.find(elements[victim]);
    std::string hurt = whole;
    const std::size_t at = from + random() % elements[victim].size();
    switch (round % 4) {
      case 0: hurt.replace(at, 1, 1, '\0'); break;
      case 1: hurt.erase(at, from + elements[victim].size() - at); break;
      case 2: hurt.replace(at, from + elements[victim].size() - at, from + elements[victim].size() - at, '\0'); break;
      default: hurt.insert(at, "\x01"); break;
    }
    Lines expected = before;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(victim));
    MemoryFeed feed;
    const Lines after = texts(only(read_text(hurt, &feed)));
    // A cut exactly at an element's end, or NUL bytes instead of spaces, may leave it whole.
    EXPECT_TRUE(after == expected || after == before) << round << " at " << at - from << " of " << victim;
    EXPECT_FALSE(feed.findings.empty());
  }
}

TEST(ContinueReader, DeepNestingIsBounded) {
  std::string nested = "{\"history\":[";
  for (int i = 0; i < 60'000; ++i) nested += "{\"message\":[";
  EXPECT_TRUE(continue_dev::read_history(nested).elements.empty());
}

TEST(ContinueReader, EveryDocumentIsFoundAndLocated) {
  MemoryFeed feed("home", {{"sessions/a.json", document({})},
                           {"sessions/b.json", "[]"},
                           {"sessions/sessions.json", std::string(kIndex).substr(0, 100)},
                           {"sessions/.tmp.json", "{}"},
                           {"config.yaml", ""}});
  EXPECT_TRUE(*continue_layout().recognise(feed));
  const auto readings = read_sessions(continue_layout(), feed);
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_EQ(readings.at("a")->session.title, "Mine");
  for (const auto& [id, reading] : readings) {
    const auto found = continue_layout().locate(feed, id);
    ASSERT_TRUE(found && *found) << id;
    EXPECT_EQ((*found)->place, reading->ref.place);
    EXPECT_EQ((*found)->hint, reading->ref.hint);
  }
  for (const char* id : {"", "sessions", "c", "../config", ".tmp"})
    EXPECT_FALSE(*continue_layout().locate(feed, id)) << id;
}

}  // namespace
}  // namespace holdfast::corpus
