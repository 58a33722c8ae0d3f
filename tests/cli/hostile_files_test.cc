// Stores that an attacker prepared, through the binary: nothing hangs, memory is bounded, nothing foreign is shown.
#include <sqlite3.h>
#include <sys/stat.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/cli_testing.h"
#include "tests/sanitized_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct HostileFiles : CliHome {
  void put(const std::string& path, std::string_view bytes) {
    fs::create_directories(fs::path(home + "/" + path).parent_path());
    std::ofstream(home + "/" + path, std::ios::binary) << bytes;
  }
  // Runs within this much memory; 20 seconds guard against hanging.
  int within(int megabytes, const std::string& words) {
    const std::string limit = kSanitized ? "unlimited" : std::to_string(megabytes * 1024);
    return sh("ulimit -v " + limit + " && exec timeout -s KILL 20 $H " + words);
  }
  std::string database_file() const { return home + "/.local/share/opencode/opencode.db"; }
  // Makes the database of opencode anew.
  void database(const std::string& sql) {
    fs::remove_all(fs::path(database_file()).parent_path());
    fs::create_directories(fs::path(database_file()).parent_path());
    sqlite3* opened = nullptr;
    ASSERT_EQ(sqlite3_open(database_file().c_str(), &opened), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(opened);
    sqlite3_close(opened);
  }
  // Every command that reads the database ends, and says why it was not read.
  void expect_refused(const std::string& why) {
    for (const char* words : {"ls", "verify", "search x", "stats", "doctor"}) {
      const int code = within(600, words);
      EXPECT_LT(code, 128) << words << out << err;
      EXPECT_TRUE((out + err).contains(why)) << words << out << err;
    }
  }
};

std::string packed(std::string_view plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 1));
  return out;
}

TEST_F(HostileFiles, DoesNotShowLinkedToolOutput) {
  put("private", "the key of the house");
  const std::string folder = ".claude/projects/-desk/11111111-2222-4333-8444-555555555555";
  put(folder + ".jsonl",
      "{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null,\"sessionId\":\"11111111-2222-4333-8444-555555555555\","
      "\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
      "\"tool_use_id\":\"t\",\"content\":\"<persisted-output>\\nOutput too large (48.9KB). Full output saved to: "
      "/x/tool-results/t.txt\\n\\nPreview (first 2KB):\\nthe preview\\n</persisted-output>\"}]}}\n");
  fs::create_directories(home + "/" + folder + "/tool-results");
  put(folder + "/tool-results/t.txt", "all of the output");
  ASSERT_EQ(sh("$H call message.list '{\"session\":\"@last\"}'"), 0) << err;
  EXPECT_TRUE(out.contains("all of the output")) << out;
  fs::remove(home + "/" + folder + "/tool-results/t.txt");
  fs::create_symlink(home + "/private", home + "/" + folder + "/tool-results/t.txt");
  for (const char* words : {"call message.list '{\"session\":\"@last\"}'", "show @last --json", "show @last",
                            "export @last --format html", "search house"}) {
    sh(std::string("$H ") + words);
    EXPECT_FALSE(out.contains("key of the house")) << words << out;
  }
  EXPECT_EQ(sh("$H verify --json"), 4);
  EXPECT_TRUE(out.contains("unsafe_output")) << out;
}

TEST_F(HostileFiles, ReadsDecompressionBombUpToLimit) {
  const std::string id = "01a1dcd6-6e4d-7f50-bc3b-e21754c68a67";
  const std::string start =
      "{\"timestamp\":\"2026-05-20T09:00:00.000Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"" + id +
      "\",\"timestamp\":\"2026-05-20T09:00:00.000Z\",\"cwd\":\"/w\",\"cli_version\":\"1\"}}\n"
      "{\"timestamp\":\"2026-05-20T09:00:01.000Z\",\"type\":\"response_item\",\"payload\":{\"type\":"
      "\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"still here\"}]}}\n";
  std::string bomb = packed(start);
  const std::string much = packed(std::string(std::size_t{64} << 20, ' '));
  for (int i = 0; i < 16; ++i) bomb += much;
  ASSERT_LT(bomb.size(), 300'000u);
  put(".codex/sessions/2026/05/20/rollout-2026-05-20T09-00-00-" + id + ".jsonl.zst", bomb);
  for (const char* words : {"ls", "search here", "stats", "show @last"})
    EXPECT_EQ(within(400, words), 0) << words << err;
  EXPECT_EQ(within(400, "verify"), 4) << out << err;
  EXPECT_TRUE(out.contains("too_large")) << out;
}

TEST_F(HostileFiles, RefusesDatabaseWithEndlessView) {
  database(
      "CREATE TABLE message(id, session_id, time_created, data); CREATE VIEW session AS "
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
      "SELECT 'ses_' || i AS id, 'p' AS project_id, i AS time_updated FROM n");
  claude("33333333-2222-4333-8444-555555555555", "\"whole\"");
  std::ofstream(home + "/.claude/projects/-desk/33333333-2222-4333-8444-555555555555.jsonl", std::ios::app) << "{\n";
  expect_refused("view");
  EXPECT_EQ(within(600, "verify"), 4) << err;
  EXPECT_TRUE(out.contains("33333333")) << "it hides another store: " << out;
}

// A few kilobytes that take minutes and gigabytes to read.
TEST_F(HostileFiles, RefusesDatabaseThatIsLargerThanItsBytes) {
  const std::string others =
      "CREATE TABLE message(id, session_id, time_created, data); CREATE TABLE part(id, message_id, session_id, "
      "time_created, data); ";
  database(others +
           "CREATE TABLE session(n, project_id, time_updated); INSERT INTO session VALUES(1, 'p', 1), (2, 'p', 2);"
           "ALTER TABLE session ADD COLUMN id AS (hex(zeroblob(1000000 + n)))");
  expect_refused("computed column");
  database(others +
           "CREATE TABLE session(id, project_id, time_updated);"
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000) "
           "INSERT INTO session(id) SELECT i FROM n; ALTER TABLE session RENAME COLUMN project_id TO unused;"
           "ALTER TABLE session ADD COLUMN project_id DEFAULT '" +
           std::string(1'000'000, 'p') + "'");
  expect_refused("rows of one query take more than");
}

// SQLite would wait for somebody to write to it.
TEST_F(HostileFiles, RefusesFifoBesideDatabase) {
  database("CREATE TABLE session(id, project_id, time_updated)");
  for (const char* end : {"-journal", "-wal"}) {
    ASSERT_EQ(::mkfifo((database_file() + end).c_str(), 0600), 0);
    expect_refused("not a plain file");
    EXPECT_EQ(within(600, "verify"), 4) << "it is not said as damage: " << out << err;
    fs::remove(database_file() + end);
  }
}

// Half a line, cut after a colon, followed by the whole next one.
TEST_F(HostileFiles, ShowsMessageGluedToCutLine) {
  claude("22222222-2222-4333-8444-555555555555", "\"first\"");
  const std::string path = home + "/.claude/projects/-desk/22222222-2222-4333-8444-555555555555.jsonl";
  std::ofstream(path, std::ios::app)
      << "{\"parentUuid\":\"u\",\"sessionId\":\"22222222-2222-4333-8444-555555555555\",\"type\":\"user\",\"message\":"
      << "{\"parentUuid\":\"u\",\"sessionId\":\"22222222-2222-4333-8444-555555555555\",\"type\":\"user\",\"uuid\":"
         "\"v\","
         "\"timestamp\":\"2026-01-01T00:00:01Z\",\"message\":{\"role\":\"user\",\"content\":\"the second one\"}}\n";
  for (const char* words :
       {"show @last", "show @last --json", "search second", "call message.list '{\"session\":\"@last\"}'"}) {
    EXPECT_EQ(sh(std::string("$H ") + words), 0) << words << err;
    EXPECT_TRUE(out.contains("the second one")) << words << out;
  }
}

// A damaged record beside the sessions, in text and for programs.
TEST_F(HostileFiles, VerifyFindingsAndDoctorReportDamagedRecord) {
  struct Record {
    std::string layout, file;
  };
  for (const auto& [layout, file] : {Record{"linggen", "projects/-srv-p/runs/run-1.json"},
                                     {"linggen", "projects/-srv-p/missions/1700000000.json"},
                                     {"linggen", "projects/-srv-p/agent_overrides/ling.json"},
                                     {"linggen", "projects/-srv-p/project.json"},
                                     {"linggen", "credentials.json"},
                                     {"maestro", "threads/thr_1.json"}}) {
    SCOPED_TRACE(file);
    fs::remove_all(home + "/hurt");
    put("hurt/" + file, "{\"path\": \"/srv/p\", \"te");
    const std::string store = " --store " + layout + ":$HOME/hurt";
    EXPECT_EQ(sh("$H verify" + store), 4) << out << err;
    EXPECT_TRUE(out.contains(file)) << out;
    EXPECT_EQ(sh("$H verify --json" + store), 4) << err;
    EXPECT_TRUE(out.contains(file)) << out;
    sh("$H store findings --json" + store);
    EXPECT_TRUE(out.contains(file)) << out << err;
    EXPECT_EQ(sh("$H doctor" + store), 4) << err;
    EXPECT_TRUE(out.contains(file)) << out;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
