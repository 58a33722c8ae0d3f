// opencode: a database built from tests/fixtures/opencode/*.sql.
#include <gtest/gtest.h>
#include <holdfast/file_system.h>
#include <holdfast/store.h>

#include "layout/opencode/message_row.h"
#include "layout/opencode/opencode_layout.h"
#include "tests/corpus/fixture_database.h"
#include "tests/corpus/fixtures.h"

namespace holdfast::corpus {
namespace {

using Lines = std::vector<std::string>;

TEST(OpencodeReader, ReadsAllPartsOfSession) {
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
  EXPECT_EQ(
      session.usage,
      (Usage{.input = 110, .output = 25, .cache_read = 50, .cache_write = 3, .reasoning = 7, .reasoning_apart = 7}));
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

// All sessions share the database; the size of a session is the length of its rows.
TEST(OpencodeReader, SessionSizeIsThatOfItsRows) {
  FixtureDatabase database(R"(
INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated)
  SELECT 'ses_big', project_id, 'big', '/srv/big', 'a big one', '1.18.18', 1000, 2000 FROM session LIMIT 1;
INSERT INTO message(id, session_id, time_created, time_updated, data)
  VALUES ('msg_big', 'ses_big', 1000, 1000, json_object('role', 'user', 'time', json_object('created', 1000)));
INSERT INTO part(id, message_id, session_id, time_created, time_updated, data)
  VALUES ('prt_big', 'msg_big', 'ses_big', 1000, 1000, json_object('type', 'text', 'text', hex(zeroblob(50000))));)");
  const std::string directory = database.path().substr(0, database.path().rfind('/'));
  const auto store = holdfast::Store::open({}, real_file_system(), {.layout = "opencode", .roots = {{"", directory}}});
  ASSERT_TRUE(store) << store.error().text();
  const auto list = (*store)->list({});
  ASSERT_TRUE(list) << list.error().text();
  std::uint64_t most = 0;
  for (const Session& session : list->sessions) {
    EXPECT_GT(session.bytes, 0u) << session.id;
    if (session.id == "ses_big") {
      EXPECT_GT(session.bytes, 100000u);
      EXPECT_LT(session.bytes, 101000u);
    }
    const auto shown = (*store)->read({}, session.id);
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->session.bytes, session.bytes) << session.id << ": looking for it is not part of it";
    most = std::max(most, session.bytes);
  }
  EXPECT_GT(most, 100000u);
}

TEST(OpencodeReader, ReadsForksSubAgentsAndReverts) {
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

TEST(OpencodeReader, AttachmentsFollowTheToolOutput) {
  const opencode::MessageRow row{
      "msg_1",
      "1",
      R"({"role":"assistant"})",
      {{"prt_1",
        R"({"type":"tool","tool":"read","callID":"c","state":{"status":"completed","input":{},"output":"seen",)"
        R"("attachments":[{"type":"file","mime":"text/plain","url":"file:///a"},)"
        R"({"type":"file","mime":"image/png","url":"data:image/png;base64,AAAA"}]}})"}}};
  const auto told = opencode::convert_row(row, false);
  ASSERT_EQ(told.messages.size(), 2U);
  const auto& blocks = told.messages[1].blocks;
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].text, "seen");
  EXPECT_EQ(blocks[1].text, "file:///a") << "what is no image stays as it is";
  EXPECT_EQ(blocks[2].kind, BlockKind::image);
  EXPECT_EQ(blocks[2].media_type, "image/png");
}

TEST(OpencodeReader, PromptIsCommandOnlyIfAllItsPartsAre) {
  const std::string text = R"({"type":"text","text":"go on"})", file = R"({"type":"file","mime":"application/pdf"})",
                    added = R"({"type":"file","synthetic":true,"filename":"a.txt"})",
                    order = R"({"type":"compaction","auto":false})", task = R"({"type":"subtask","synthetic":true})";
  const auto origin_of = [](const std::vector<std::string>& parts) {
    opencode::MessageRow row{"msg_1", "1", R"({"role":"user"})", {}};
    for (const std::string& data : parts) row.parts.push_back({"prt_" + std::to_string(row.parts.size()), data});
    return opencode::convert_row(row, false).messages.at(0).origin;
  };
  EXPECT_EQ(origin_of({}), Origin::typed);
  EXPECT_EQ(origin_of({file}), Origin::typed);
  EXPECT_EQ(origin_of({order}), Origin::command);
  EXPECT_EQ(origin_of({task}), Origin::command);
  EXPECT_EQ(origin_of({order, file}), Origin::typed);
  EXPECT_EQ(origin_of({text, task}), Origin::typed);
  EXPECT_EQ(origin_of({added}), Origin::injected);
}

TEST(OpencodeReader, ReadsOlderSchemaWithFewerColumns) {
  FixtureDatabase database("ALTER TABLE session DROP COLUMN revert; ALTER TABLE session DROP COLUMN agent");
  MemoryFeed feed = database.feed();
  const auto readings = read_sessions(opencode_layout(), feed);
  EXPECT_EQ(readings.at("ses_1")->session.title, "A title");
  EXPECT_EQ(readings.at("ses_1")->session.counts.user, 2);
}

// A missing column loses only its own values.
TEST(OpencodeReader, ReadsSchemaWithOtherColumns) {
  FixtureDatabase database(
      "ALTER TABLE session DROP COLUMN version; ALTER TABLE session DROP COLUMN slug; "
      "ALTER TABLE session DROP COLUMN parent_id; ALTER TABLE session ADD COLUMN new_in_it TEXT DEFAULT 'x'");
  MemoryFeed feed = database.feed();
  std::vector<std::string> failures;
  const auto readings = read_sessions(opencode_layout(), feed, {}, &failures);
  EXPECT_TRUE(failures.empty()) << failures[0];
  ASSERT_EQ(readings.size(), 5u);
  EXPECT_EQ(readings.at("ses_1")->session.title, "A title");
  EXPECT_EQ(readings.at("ses_2")->session.parent, (Parent{"ses_1", ParentKind::fork, {}}));
  EXPECT_EQ(script(*readings.at("ses_5")), (Lines{"user typed: kept", "user typed abandoned: taken back"}));
}

TEST(OpencodeReader, DatabaseWithoutTablesHasNoSessions) {
  FixtureDatabase database("DROP TABLE session; DROP TABLE part; DROP TABLE message");
  MemoryFeed feed = database.feed();
  std::vector<std::string> failures;
  EXPECT_TRUE(read_sessions(opencode_layout(), feed, {}, &failures).empty());
  EXPECT_TRUE(failures.empty());
}

TEST(OpencodeReader, DatabaseWithoutOneTableIsOfAnotherVersion) {
  FixtureDatabase database("DROP TABLE session; DROP TABLE part");
  MemoryFeed feed = database.feed();
  const auto found = opencode_layout().find(feed, [](const SessionRef&) { return true; });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::schema_mismatch);
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
