// opencode: a database made of tests/fixtures/opencode/*.sql.
#include <gtest/gtest.h>

#include "layout/opencode/opencode_layout.h"
#include "tests/corpus/fixture_database.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

TEST(OpencodeReader, EverythingOfASession) {
  FixtureDatabase database;
  MemoryFeed feed = database.feed();
  feed.put({"data", "tool-output/tool_1"}, "1\n2\n3\n");
  EXPECT_TRUE(*opencode_layout().recognise(feed));
  const auto readings = read_sessions(opencode_layout(), feed);
  const Reading& reading = *readings.at("ses_1");
  EXPECT_EQ(script(reading),
            (Lines{"user typed: fix it [image image/png]", "user injected: Called the Read tool",
                   "assistant model: [thinks hm] [call bash call_1 {\"command\":\"seq 9\"}] [call read call_2 {}] (20)",
                   "tool tool: [result call_1 1\n2\n3\n] [error call_2 no such file]",
                   "assistant model failed: overloaded (0)", "user typed: again", "assistant model: done (5)"}));
  const Session& session = reading.session;
  EXPECT_EQ(session.usage, (Usage{.input = 110, .output = 25, .cache_read = 50, .cache_write = 3, .reasoning = 7}));
  EXPECT_EQ(session.counts.user, 2);
  EXPECT_EQ(session.counts.assistant, 2);
  EXPECT_EQ(session.models, (Lines{"m-1"}));
  EXPECT_EQ(session.first_prompt, "fix it");
  EXPECT_EQ(session.title, "A title");
  EXPECT_EQ(session.subagents, 1);
  EXPECT_EQ(session.status, Status::active);
  EXPECT_EQ(session.created_at, "2001-09-09T01:46:40.001Z");
  EXPECT_EQ(reading.messages[2].cost, "0.25");
  EXPECT_EQ(reading.messages[3].blocks[0].spilled, "tool-output/tool_1");
}

TEST(OpencodeReader, ForksSubAgentsAndReverts) {
  FixtureDatabase database;
  MemoryFeed feed = database.feed();
  const auto readings = read_sessions(opencode_layout(), feed);
  ASSERT_EQ(readings.size(), 5u);
  EXPECT_FALSE(readings.at("ses_1")->session.parent);
  EXPECT_EQ(readings.at("ses_2")->session.parent, (Parent{"ses_1", ParentKind::fork, {}}));
  EXPECT_EQ(readings.at("ses_3")->session.parent, (Parent{"ses_2", ParentKind::fork, {}}));
  EXPECT_EQ(readings.at("ses_4")->session.parent, (Parent{"ses_1", ParentKind::subagent, {}}));
  EXPECT_TRUE(readings.at("ses_4")->session.archived);
  EXPECT_EQ(readings.at("ses_4")->session.pending, Pending::tool);
  EXPECT_EQ(script(*readings.at("ses_5")), (Lines{"user typed: kept", "user typed abandoned: taken back"}));
  // A copy names the same response as the original.
  EXPECT_EQ(readings.at("ses_2")->messages[2].response, readings.at("ses_1")->messages[2].response);
  EXPECT_EQ(readings.at("ses_2")->session.pending, Pending::answer);
}

TEST(OpencodeReader, AnOlderSchemaHasFewerColumns) {
  FixtureDatabase database("ALTER TABLE session DROP COLUMN revert; ALTER TABLE session DROP COLUMN agent");
  MemoryFeed feed = database.feed();
  const auto readings = read_sessions(opencode_layout(), feed);
  EXPECT_EQ(readings.at("ses_1")->session.title, "A title");
  EXPECT_EQ(readings.at("ses_1")->session.counts.user, 2);
}

TEST(OpencodeReader, AnotherDatabaseHasNoSessions) {
  FixtureDatabase database("DROP TABLE session; DROP TABLE part");
  MemoryFeed feed = database.feed();
  std::vector<std::string> failures;
  EXPECT_TRUE(read_sessions(opencode_layout(), feed, {}, &failures).empty());
  EXPECT_TRUE(failures.empty());
}

TEST(OpencodeReader, RowsOfTheWrongTypeHideNothingElse) {
  FixtureDatabase database(
      "UPDATE message SET data = '{\"role\":' WHERE id = 'msg_2';"
      "UPDATE message SET data = x'00ff' WHERE id = 'msg_3';"
      "UPDATE part SET data = '[]' WHERE id = 'prt_3'; UPDATE part SET data = '{\"type\":\"tool\",\"state\":7}' "
      "WHERE id = 'prt_4'; UPDATE session SET title = 5 WHERE id = 'ses_1'");
  MemoryFeed feed = database.feed();
  std::vector<std::string> failures;
  const auto readings = read_sessions(opencode_layout(), feed, {}, &failures);
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(readings.at("ses_1")->session.counts.user, 2);
  EXPECT_EQ(readings.at("ses_1")->messages.back().text(), "done");
}

}  // namespace
}  // namespace holdfast::corpus
