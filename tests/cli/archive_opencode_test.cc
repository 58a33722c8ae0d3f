// Sessions of opencode, captured, deleted and restored: compared by rows of its database.
#include <map>
#include <sstream>

#include "archive/archive_testing.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

const std::vector<std::pair<std::string, std::vector<std::string>>> kTables{
    {"project", {"id", "worktree"}},
    {"session",
     {"id", "project_id", "parent_id", "slug", "directory", "title", "version", "revert", "agent", "model",
      "time_created", "time_updated", "time_archived"}},
    {"message", {"id", "session_id", "time_created", "time_updated", "data"}},
    {"part", {"id", "message_id", "session_id", "time_created", "time_updated", "data"}}};

std::string joined(const std::vector<std::string>& words, const std::string& before, const std::string& after,
                   const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + before + word + after;
  return text;
}

std::string literal(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("''") : std::string(1, c);
  return all + "'";
}

struct ArchiveOpencode : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    before = home + "/before.db";
    after = home + "/after.db";
    for (const std::string name : {"schema.sql", "rows.sql"}) {
      std::ifstream file(paths::source() + "/tests/fixtures/opencode/" + name);
      sql[name] = {std::istreambuf_iterator<char>(file), {}};
    }
    run_sql(home + "/" + database, sql["schema.sql"] + sql["rows.sql"]);
    // What is easily changed on its way: types of values, escapes, bytes of UTF-8, spaces in JSON.
    run_sql(home + "/" + database,
            "INSERT INTO session VALUES('ses_6','p',NULL,'s','/p','it''s \"q\" \\ \xc3\xa9\n','1',NULL,NULL,NULL,"
            "1000000005000,1000000005000,NULL);"
            "INSERT INTO message VALUES('msg_a','ses_6',1000000005010,7,"
            "'{ \"role\" : \"user\", \"n\":1.50, \"time\":{\"created\":1000000005010} }');"
            "INSERT INTO part VALUES('prt_z','msg_a','ses_6',3,4,"
            "'{\"type\":\"text\",\"text\":\"\\u0000 \\ud83d\\ude00 it''s \\\\ \\\"q\\\"\"}');");
  }
  // The rows that a statement selects; it gives each as one text.
  std::vector<std::string> rows(const std::string& path, const std::string& select) {
    std::vector<std::string> all;
    sqlite3* open = nullptr;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &open, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK) << path;
    EXPECT_EQ(sqlite3_prepare_v2(open, select.c_str(), -1, &statement, nullptr), SQLITE_OK) << sqlite3_errmsg(open);
    while (sqlite3_step(statement) == SQLITE_ROW)
      all.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, 0)));
    sqlite3_finalize(statement);
    sqlite3_close(open);
    return all;
  }
  std::vector<std::string> sessions() { return rows(home + "/" + database, "SELECT id FROM session ORDER BY id"); }
  // Captures everything and deletes opencode's folder; a copy of its database is in `before`.
  void capture_and_delete() {
    EXPECT_EQ(rows(home + "/" + database, "PRAGMA wal_checkpoint(TRUNCATE)").size(), 1U);
    fs::copy_file(home + "/" + database, before);
    ASSERT_EQ(sh("$H archive run"), 0) << err;
    fs::remove_all(home + "/.local/share/opencode");
  }

  const std::string database = ".local/share/opencode/opencode.db";
  std::map<std::string, std::string> sql;
  std::string before, after;  // databases
};

// The archive's file has each value of each row as it was, except of columns that it never captures.
TEST_F(ArchiveOpencode, KeepsEveryRow) {
  const std::vector<std::string> ids = sessions();
  ASSERT_GE(ids.size(), 6U);
  ASSERT_NO_FATAL_FAILURE(capture_and_delete());
  run_sql(after, sql["schema.sql"]);
  auto archive = Archive::open({}, real_file_system(), home + "/.local/share/holdfast/archive");
  ASSERT_TRUE(archive) << archive.error().text();
  for (const std::string& id : ids) {
    std::istringstream lines(file_in(**archive, id));
    for (std::string line; std::getline(lines, line);) {
      for (const auto& [table, columns] : kTables) {
        if (!JsonView(line).find("table").is_string(table)) continue;
        run_sql(after, "INSERT OR " + std::string(table == "project" ? "IGNORE" : "ABORT") + " INTO " + table +
                           " SELECT " + joined(columns, "json_extract(line,'$.row.", "')", ",") + " FROM (SELECT " +
                           literal(line) + " AS line)");
      }
    }
  }
  for (const auto& [table, columns] : kTables) {
    const std::string select =
        "SELECT " + joined(columns, "quote(", ")", "||' '||") + " FROM " + table + " ORDER BY id";
    const auto wanted = rows(before, select);
    EXPECT_FALSE(wanted.empty()) << table;
    EXPECT_EQ(rows(after, select), wanted) << table;
  }
}

// `opencode import` turns ids into columns, and what is left of each object into the data of its row.
TEST_F(ArchiveOpencode, RestoredDocumentHasEveryRow) {
  const std::vector<std::string> ids = sessions();
  ASSERT_NO_FATAL_FAILURE(capture_and_delete());
  run_sql(after, sql["schema.sql"] + "CREATE TABLE restored(document TEXT);");
  for (const std::string& id : ids) {
    ASSERT_EQ(sh("$H restore --json opencode/" + id), 0) << id << err;
    const std::string next = field({"next"});
    ASSERT_TRUE(next.contains("opencode import /")) << out;
    std::ifstream file(next.substr(next.find('/')));
    const std::string document{std::istreambuf_iterator<char>(file), {}};
    run_sql(after, "INSERT INTO restored VALUES(" + literal(document) + ")");
  }
  run_sql(after,
          "INSERT INTO session SELECT document->>'$.info.id', document->>'$.info.projectID',"
          " document->>'$.info.parentID', document->>'$.info.slug', document->>'$.info.directory',"
          " document->>'$.info.title', document->>'$.info.version', NULL, NULL, NULL,"
          " document->>'$.info.time.created', document->>'$.info.time.updated', NULL FROM restored;"
          "INSERT INTO message SELECT m.value->>'$.info.id', m.value->>'$.info.sessionID', 0, 0,"
          " json_remove(m.value->'$.info', '$.id', '$.sessionID')"
          " FROM restored, json_each(document, '$.messages') m;"
          "INSERT INTO part SELECT p.value->>'$.id', p.value->>'$.messageID', p.value->>'$.sessionID', 0, 0,"
          " json_remove(p.value, '$.id', '$.sessionID', '$.messageID')"
          " FROM restored, json_each(document, '$.messages') m, json_each(m.value, '$.parts') p;");
  for (const auto& [table, columns] : std::initializer_list<std::pair<std::string, std::vector<std::string>>>{
           {"session",
            {"id", "project_id", "parent_id", "slug", "directory", "title", "version", "time_created", "time_updated"}},
           {"message", {"id", "session_id", "json(data)"}},
           {"part", {"id", "message_id", "session_id", "json(data)"}}}) {
    const std::string select =
        "SELECT " + joined(columns, "quote(", ")", "||' '||") + " FROM " + table + " ORDER BY id";
    const auto wanted = rows(before, select);
    EXPECT_FALSE(wanted.empty()) << table;
    EXPECT_EQ(rows(after, select), wanted) << table;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
