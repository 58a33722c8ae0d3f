// What an index, a database or the neighbors of a session say about it is still known when only the archive has it.
#include <filesystem>

#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ArchivedRows : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
  }
  void sql(const std::string& name, const std::string& statements) const { run_sql(home + "/" + name, statements); }
  // What `ls` prints about a session: the fields that its files alone do not contain.
  std::string row(const std::string& id) {
    EXPECT_EQ(sh("$H ls --all --json"), 0) << err;
    for (const JsonItem& session : JsonView(out).find("sessions").elements()) {
      if (!session.value.find("id").is_string(id)) continue;
      std::string said;
      for (const char* name : {"created_at", "updated_at", "parent", "subagents"})
        said.append(session.value.find(name).raw()).append(" ");
      return said;
    }
    return "not listed";
  }
  void same_in_the_archive(const std::vector<std::string>& ids, const std::string& folder) {
    std::vector<std::string> before;
    for (const std::string& id : ids) before.push_back(row(id));
    ASSERT_EQ(sh("$H archive run"), 0) << err;
    fs::remove_all(home + "/" + folder);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(row(ids[i]), before[i]) << ids[i];
  }
};

TEST_F(ArchivedRows, ContinueRowSurvivesDeletion) {
  const std::string id = "120f6295-dd7c-4159-b0cc-421106b7eab6";
  put(".continue/sessions/sessions.json",
      R"([{"sessionId":")" + id + R"(","title":"t","dateCreated":"1794705956743","workspaceDirectory":"/p"}])");
  put(".continue/sessions/" + id + ".json",
      R"({"sessionId":")" + id +
          R"(","title":"t","workspaceDirectory":"/p","history":[{"message":{"role":"user","content":"hello"},)"
          R"("contextItems":[]}]})");
  EXPECT_TRUE(row(id).starts_with("\"2026-11-15T01:25:56.743Z\"")) << row(id);
  same_in_the_archive({id}, ".continue");
}

TEST_F(ArchivedRows, OpencodeRowsSurviveDeletion) {
  std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
  std::string all(std::istreambuf_iterator<char>(schema), {});
  all += "INSERT INTO project VALUES('p','/p');";
  const auto add = [&](const std::string& id, const std::string& title, const std::string& parent, int created) {
    all +=
        "INSERT INTO session(id,project_id,parent_id,slug,directory,title,version,time_created,time_updated) "
        "VALUES('" +
        id + "','p'," + (parent.empty() ? "NULL" : "'" + parent + "'") + ",'s','/p','" + title + "','1'," +
        std::to_string(created) + ",1700000009000);";
    all += "INSERT INTO message VALUES('msg_" + id + "','" + id +
           R"(',1700000000500,0,'{"role":"user","time":{"created":1700000000500}}');)";
    all += "INSERT INTO part VALUES('prt_" + id + "','msg_" + id + "','" + id +
           R"(',1700000000500,0,'{"type":"text","text":"hello"}');)";
  };
  add("ses_main", "work", "", 1700000000);
  add("ses_child", "help", "ses_main", 1700000100);
  add("ses_fork", "work (fork #1)", "", 1700000200);
  sql(".local/share/opencode/opencode.db", all);
  EXPECT_TRUE(row("ses_fork").contains("\"ses_main\"")) << row("ses_fork");
  EXPECT_TRUE(row("ses_main").ends_with("1 ")) << row("ses_main");
  same_in_the_archive({"ses_main", "ses_child", "ses_fork"}, ".local/share/opencode");
}

TEST_F(ArchivedRows, OpenclawRowSurvivesDeletion) {
  sql(".openclaw/agents/main/agent/openclaw-agent.sqlite",
      "CREATE TABLE session_windows(session_id TEXT, session_key TEXT, created_at INTEGER, updated_at INTEGER);"
      "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);"
      "INSERT INTO session_windows VALUES('s1','k',1767225589000,1767225700000);"
      R"(INSERT INTO transcript_events VALUES('s1',1,'{"type":"message","id":"e1","parentId":null,)"
      R"("timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}',1);)");
  same_in_the_archive({"s1"}, ".openclaw");
}

}  // namespace
}  // namespace holdfast::inline v1
