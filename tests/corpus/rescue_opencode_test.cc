// Rescue of sessions from opencode's database: healthy, and with an overwritten page.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "layout/opencode/opencode_layout.h"
#include "layout/session_rescue.h"
#include "tests/corpus/fixture_database.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::corpus {
namespace {

constexpr int kMessages = 300;

// A long session beside the fixture's own.
std::string long_session() {
  return R"(
INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated)
  SELECT 'ses_long', project_id, 'long', '/srv/long', 'a long one', '1.18.18', 1000, 2000 FROM session LIMIT 1;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 299)
INSERT INTO message(id, session_id, time_created, time_updated, data)
  SELECT printf('msg_%04d', i), 'ses_long', 1000 + i, 1000 + i,
         json_object('role', iif(i % 2 = 0, 'user', 'assistant'), 'note', printf('message-marker-%04d', i),
                     'time', json_object('created', 1000 + i)) FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 299)
INSERT INTO part(id, message_id, session_id, time_created, time_updated, data)
  SELECT printf('prt_%04d', i), printf('msg_%04d', i), 'ses_long', 1000 + i, 1000 + i,
         json_object('type', 'text', 'text', printf('part-marker-%04d', i) || hex(zeroblob(200))) FROM n;
)";
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Overwrites the page of 4096 bytes that contains `marker`.
void overwrite_page(const std::string& path, const std::string& marker) {
  std::string bytes = bytes_of(path);
  const std::size_t at = bytes.find(marker);
  ASSERT_NE(at, std::string::npos) << marker;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at / 4096 * 4096), 4096, '\xAA');
  std::ofstream(path, std::ios::binary) << bytes;
}

Result<Rescued> rescued_rows(Feed& feed, std::string_view session) {
  HOLDFAST_LET(rescued, opencode_layout().rescue()->rescue_rows(feed, {"data", "opencode.db"}, session));
  return rescued.value_or(Rescued());
}

struct Counts {
  std::size_t messages = 0, parts = 0;
};

Counts counts_of(const Rescued& rescued) {
  Counts counts;
  EXPECT_TRUE(check_json(rescued.bytes).ok());
  const JsonView messages = JsonView(rescued.bytes).find("messages");
  std::string before;
  for (const JsonItem& message : messages.elements()) {
    ++counts.messages;
    const JsonView info = message.value.find("info");
    EXPECT_EQ(info.find("sessionID").as_string(), "ses_long");
    const std::string id = info.find("id").as_string().value_or("");
    EXPECT_LT(before, id) << "in order";
    before = id;
    const JsonView parts = message.value.find("parts");
    for (const JsonItem& part : parts.elements()) {
      ++counts.parts;
      EXPECT_EQ(part.value.find("messageID").as_string(), id);
    }
  }
  return counts;
}

TEST(RescueOpencode, HealthySessionIsComplete) {
  FixtureDatabase database(long_session());
  MemoryFeed feed = database.feed();
  const auto rescued = rescued_rows(feed, "ses_long");
  ASSERT_TRUE(rescued) << rescued.error().text();
  const Counts counts = counts_of(*rescued);
  EXPECT_EQ(counts.messages, kMessages);
  EXPECT_EQ(counts.parts, kMessages);
  EXPECT_EQ(rescued->records, 2u * kMessages);
  EXPECT_EQ(rescued->lost, 0u);
  const JsonView info = JsonView(rescued->bytes).find("info");
  EXPECT_EQ(info.find("id").as_string(), "ses_long");
  EXPECT_EQ(info.find("title").as_string(), "a long one");
  EXPECT_EQ(info.find("time").find("created").as_int64(), 1000);
}

TEST(RescueOpencode, DamagedPageHidesOnlyItsRows) {
  for (const std::string marker : {"part-marker-0150", "message-marker-0150"}) {
    FixtureDatabase database(long_session());
    overwrite_page(database.path(), marker);
    const std::string before = bytes_of(database.path());
    MemoryFeed feed = database.feed();
    const auto rescued = rescued_rows(feed, "ses_long");
    ASSERT_TRUE(rescued) << marker << ": " << rescued.error().text();
    const Counts counts = counts_of(*rescued);
    EXPECT_LT(rescued->records - rescued->tools.restored, 2u * kMessages);
    EXPECT_GT(rescued->records, 2u * kMessages - 120u) << "a page holds some 40 messages, each with a part";
    EXPECT_EQ(rescued->records, counts.messages + counts.parts);
    if (rescued->lost) {  // as far as an index shows
      EXPECT_GE(*rescued->lost, 2u * kMessages - rescued->records);
    }
    EXPECT_EQ(bytes_of(database.path()), before) << "the original was touched";
  }
}

TEST(RescueOpencode, SessionRowIsRebuilt) {
  FixtureDatabase database(long_session() + "DELETE FROM session WHERE id = 'ses_long';");
  MemoryFeed feed = database.feed();
  const auto rescued = rescued_rows(feed, "ses_long");
  ASSERT_TRUE(rescued) << rescued.error().text();
  EXPECT_EQ(rescued->headers, 1u);
  const JsonView info = JsonView(rescued->bytes).find("info");
  EXPECT_EQ(info.find("id").as_string(), "ses_long");
  EXPECT_EQ(info.find("time").find("updated").as_int64(), 1299);
  EXPECT_EQ(counts_of(*rescued).messages, kMessages);
}

TEST(RescueOpencode, UnknownSessionIsNotFound) {
  FixtureDatabase database;
  MemoryFeed feed = database.feed();
  EXPECT_EQ(rescued_rows(feed, "ses_none").error().code, Code::not_found);
}

}  // namespace
}  // namespace holdfast::corpus
