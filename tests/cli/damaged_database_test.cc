// Databases of other agents with rows that are not JSON, or with damaged pages, as the doors report them.
#include <sqlite3.h>

#include <filesystem>

#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr char kOpencode[] = ".local/share/opencode/opencode.db";
constexpr char kOpenclaw[] = ".openclaw/agents/main/agent/openclaw-agent.sqlite";
constexpr std::size_t kPage = 4096;

struct DamagedDatabase : CliHome {
  void sql(const std::string& name, const std::string& statements) const { run_sql(home + "/" + name, statements); }
  // Creates sessions of opencode with this many turns each; a prompt is "question S.N", its answer "answer S.N".
  void opencode(int sessions, int turns) {
    std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
    std::string all(std::istreambuf_iterator<char>(schema), {});
    all +=
        "CREATE INDEX part_session_idx ON part(session_id);"
        "BEGIN;INSERT INTO project VALUES('p','/p');";
    for (int s = 1; s <= sessions; ++s) {
      const std::string session = "ses_" + std::to_string(s);
      all += "INSERT INTO session(id,project_id,slug,directory,title,version,time_created,time_updated) VALUES('" +
             session + "','p','s','/p','title of " + session + "','1',1,1);";
      for (int n = 0; n < 2 * turns; ++n) {
        const std::string number = std::to_string(s * 10000 + n),
                          spot = std::to_string(s) + "." + std::to_string(n / 2);
        const std::string role = n % 2 == 0 ? R"("role":"user")" : R"("role":"assistant","modelID":"m")";
        all += "INSERT INTO message VALUES('msg_" + number + "','" + session + "'," + number + ",0,'{" + role +
               R"(,"time":{"created":)" + number + R"(,"completed":)" + number + "}}');";
        all += "INSERT INTO part VALUES('prt_" + number + "','msg_" + number + "','" + session + "'," + number +
               R"(,0,'{"type":"text","text":")" + (n % 2 == 0 ? "question " : "answer ") + spot + " " +
               std::string(900, 'x') + "\"}');";
      }
    }
    sql(kOpencode, all + "COMMIT;");
  }
  // Creates a session s1 of openclaw with three events; `more` are further statements.
  void openclaw(const std::string& more = {}) {
    const auto event = [](int n, const std::string& role, const std::string& said) {
      return "INSERT INTO transcript_events VALUES('s1'," + std::to_string(n) + R"(,'{"type":"message","id":"e)" +
             std::to_string(n) + R"(","parentId":)" + (n == 1 ? "null" : "\"e" + std::to_string(n - 1) + "\"") +
             R"(,"timestamp":"2026-01-01T00:00:00Z","message":{"role":")" + role + R"(","content":")" + said +
             "\"}}',1);";
    };
    sql(kOpenclaw,
        "CREATE TABLE session_windows(session_id TEXT, session_key TEXT, created_at INTEGER, updated_at INTEGER);"
        "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);"
        "INSERT INTO session_windows VALUES('s1','k',1,1);" +
            event(1, "user", "the question") + event(2, "assistant", "the answer") + event(3, "user", "the last word") +
            more);
  }
  // Overwrites one page with zeros; pages count from 1.
  void zero_page(const std::string& name, std::size_t number) {
    std::fstream file(home + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>((number - 1) * kPage));
    file << std::string(kPage, '\0');
  }
  std::size_t page_with(const std::string& name, const std::string& words) {
    return text(name).find(words) / kPage + 1;
  }
  std::size_t root_of(const std::string& name, const std::string& what) {
    sqlite3* database = nullptr;
    std::size_t page = 0;
    sqlite3_open((home + "/" + name).c_str(), &database);
    const auto take = [](void* into, int, char** values, char**) {
      *static_cast<std::size_t*>(into) = std::stoul(values[0]);
      return 0;
    };
    sqlite3_exec(database, ("SELECT rootpage FROM sqlite_master WHERE name='" + what + "'").c_str(), take, &page,
                 nullptr);
    sqlite3_close(database);
    return page;
  }
  std::string damage_in_list(const std::string& id) {
    EXPECT_EQ(sh("$H ls --json"), 0) << err;
    for (const JsonItem& session : JsonView(out).find("sessions").elements())
      if (session.value.find("id").is_string(id)) return std::string(session.value.find("damage").raw());
    return "not listed";
  }
};

TEST_F(DamagedDatabase, ReportsAndShowsOpencodeRowsThatAreNotJson) {
  opencode(1, 3);
  sql(kOpencode, R"(UPDATE part SET data='{"type":"text","text":"cut off he' WHERE id='prt_10003';)"
                 "UPDATE part SET data='plain words' WHERE id='prt_10004';"
                 "UPDATE message SET data='[1,2' WHERE id='msg_10005';");
  EXPECT_EQ(sh("$H verify"), 4);
  for (const char* words : {"the part prt_10003 is not a JSON object", "the part prt_10004 is not a JSON object",
                            "the message msg_10005 is not a JSON object", "3 damaged places"})
    EXPECT_TRUE(out.contains(words)) << words << "\n" << out;
  EXPECT_EQ(damage_in_list("ses_1"), "3");
  EXPECT_EQ(sh("$H show ses_1 --json"), 0) << err;
  EXPECT_EQ(field({"session", "damage"}), "3") << out;
  for (const char* words : {"cut off he", "plain words", "question 1.0", "answer 1.2"})
    EXPECT_TRUE(out.contains(words)) << words << "\n" << out;
  EXPECT_EQ(sh("$H search 'plain words'"), 0) << err;
  EXPECT_EQ(sh("$H rescue ses_1 -o $HOME/copy --json"), 0) << err;
  EXPECT_EQ(field({"lost_rows"}), "3") << out;
}

TEST_F(DamagedDatabase, ReportsAndShowsOpenclawEventThatIsNotJson) {
  openclaw();
  ASSERT_EQ(sh("$H verify"), 0) << out;
  sql(kOpenclaw, "UPDATE transcript_events SET event_json=substr(event_json,1,length(event_json)-6) WHERE seq=3;");
  EXPECT_EQ(sh("$H verify"), 4);
  EXPECT_TRUE(out.contains("torn") && out.contains("an event of this session is not a JSON object")) << out;
  EXPECT_EQ(damage_in_list("s1"), "1");
  EXPECT_EQ(sh("$H show s1 --json"), 0) << err;
  for (const char* words : {"the question", "the answer", "the last"})
    EXPECT_TRUE(out.contains(words)) << words << "\n" << out;
  EXPECT_EQ(sh("$H search 'the last'"), 0) << err;
}

TEST_F(DamagedDatabase, DamagedSchemaHidesOnlyTheTablesThatFollow) {
  std::string more;
  for (int n = 100; n < 200; ++n)
    more += "CREATE TABLE other_" + std::to_string(n) +
            "(a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT, i TEXT, j TEXT);";
  openclaw(more);
  ASSERT_EQ(sh("$H verify"), 0) << out;
  // The first page of the file may still have what was moved to other pages.
  const std::string bytes = text(kOpenclaw);
  zero_page(kOpenclaw, bytes.rfind("CREATE TABLE other_150(") / kPage + 1);
  const std::string damage = damage_in_list("s1");
  EXPECT_TRUE(damage != "0" && damage != "not listed") << damage;
  EXPECT_EQ(sh("$H verify"), 4);
  EXPECT_TRUE(out.contains("every row of this session can be read and is shown")) << out;
  for (const std::string command : {"show s1", "export s1"}) {
    EXPECT_EQ(sh("$H " + command), 0) << command << err;
    for (const char* words : {"the question", "the answer", "the last word"})
      EXPECT_TRUE(out.contains(words)) << command << words << "\n" << out;
  }
  EXPECT_EQ(sh("$H search 'the last'"), 0) << err;
  // Which tables follow a damaged page is not known, so an empty answer would be a guess.
  std::ofstream(home + "/" + kOpenclaw, std::ios::binary) << bytes;
  zero_page(kOpenclaw, bytes.rfind("CREATE TABLE transcript_events(") / kPage + 1);
  EXPECT_EQ(sh("$H show s1"), 4) << out;
  EXPECT_TRUE(err.contains("pages of its schema are damaged")) << err;
}

TEST_F(DamagedDatabase, DamagedIndexIsReportedAndHidesNothing) {
  opencode(3, 4);
  zero_page(kOpencode, root_of(kOpencode, "message_session_time_created_id_idx"));
  EXPECT_EQ(sh("$H verify"), 4);
  for (const std::string id : {"ses_1", "ses_2", "ses_3"}) EXPECT_TRUE(out.contains(id)) << id << out;
  EXPECT_TRUE(out.contains("every row of this session can be read and is shown")) << out;
  for (const std::string id : {"ses_1", "ses_2", "ses_3"}) {
    EXPECT_EQ(damage_in_list(id), "1");
    for (const std::string& command : {"show " + id, "export " + id}) {
      EXPECT_EQ(sh("$H " + command), 0) << command << err;
      for (const std::string spot : {".0", ".3"})
        EXPECT_TRUE(out.contains("question " + id.substr(4) + spot) && out.contains("answer " + id.substr(4) + spot))
            << command << "\n"
            << out;
    }
  }
  EXPECT_EQ(sh("$H search 'answer 3.3' --count"), 0) << err;
  EXPECT_EQ(sh("$H rescue ses_2 -o $HOME/copy --json"), 0) << err;
  EXPECT_EQ(field({"lost_rows"}), "0") << out;
  EXPECT_EQ(field({"records"}), "16") << out;
}

TEST_F(DamagedDatabase, DamagedPageHidesOnlyItsRows) {
  opencode(2, 30);
  zero_page(kOpencode, page_with(kOpencode, "answer 1.15 "));
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  for (const char* words : {"question 1.0", "answer 1.0", "question 1.29", "answer 1.29"})
    EXPECT_TRUE(out.contains(words)) << words;
  EXPECT_FALSE(out.contains("answer 1.15"));
  EXPECT_TRUE(err.contains("of this session cannot be read")) << err;
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("answer 2.29")) << out;
  EXPECT_EQ(sh("$H rescue ses_1 -o $HOME/copy --json"), 0) << err;
  const std::string lost = field({"lost_rows"});
  EXPECT_TRUE(lost == "3" || lost == "4") << out;
  EXPECT_EQ(sh("$H verify ses_1"), 4);
  EXPECT_TRUE(out.contains(lost + " rows of this session cannot be read")) << lost << out;
}

// Nothing shows how many rows there were.
TEST_F(DamagedDatabase, OmitsLostRowCountIfUnknown) {
  opencode(2, 30);
  zero_page(kOpencode, root_of(kOpencode, "part"));
  zero_page(kOpencode, root_of(kOpencode, "part_session_idx"));
  EXPECT_EQ(sh("$H rescue ses_1 -o $HOME/copy --json"), 0) << err;
  EXPECT_FALSE(out.contains("lost_rows")) << out;
  EXPECT_EQ(field({"records"}), "60") << "the messages";
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  EXPECT_TRUE(err.contains("rows of this session may be lost")) << err;
}

TEST_F(DamagedDatabase, SessionWithLostRowIsListedFromMessages) {
  opencode(2, 3);
  zero_page(kOpencode, root_of(kOpencode, "session"));
  EXPECT_EQ(damage_in_list("ses_1"), "1");
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("answer 2.2")) << out;
  EXPECT_TRUE(err.contains("the row of this session cannot be read")) << err;
}

TEST_F(DamagedDatabase, ArchiveCapturesSessionsDespiteDamagedIndex) {
  opencode(3, 4);
  zero_page(kOpencode, root_of(kOpencode, "message_session_time_created_id_idx"));
  EXPECT_EQ(sh("$H archive run --json"), 0) << "nothing is lost" << out << err;
  EXPECT_EQ(field({"captured"}), "3") << out;
  EXPECT_EQ(sh("$H archive run --json"), 0) << err;
  EXPECT_EQ(field({"captured"}), "0") << "nothing is new" << out;
  fs::remove_all(home + "/.local/share/opencode");
  for (const std::string id : {"ses_1", "ses_2", "ses_3"}) {
    EXPECT_EQ(sh("$H show " + id), 0) << err;
    for (const std::string spot : {".0", ".3"})
      EXPECT_TRUE(out.contains("question " + id.substr(4) + spot) && out.contains("answer " + id.substr(4) + spot))
          << out;
    EXPECT_TRUE(out.contains("title of " + id)) << out;
  }
}

// A newer version may call a table otherwise: its rows are not absent, and nothing may say so.
TEST_F(DamagedDatabase, MissingTableIsASchemaMismatch) {
  for (const std::string table : {"part", "message", "session"}) {
    SCOPED_TRACE(table);
    fs::remove_all(home + "/.local");
    opencode(2, 3);
    sql(kOpencode, "ALTER TABLE " + table + " RENAME TO newer");
    EXPECT_EQ(sh("$H verify"), 4) << out << err;
    EXPECT_TRUE((out + err).contains("no such table: " + table)) << out << err;
    EXPECT_FALSE(out.contains("no damage") || (out + err).contains("rescue")) << out << err;
    sh("$H ls");
    EXPECT_TRUE(err.contains("no such table: " + table)) << out << err;
    EXPECT_EQ(sh("$H show ses_1"), 4) << out << err;
    EXPECT_EQ(sh("$H archive run"), 5) << out << err;
  }
}

TEST_F(DamagedDatabase, MissingTableOfOpenclawIsASchemaMismatch) {
  openclaw("ALTER TABLE transcript_events RENAME TO newer");
  EXPECT_EQ(sh("$H verify"), 4) << out << err;
  EXPECT_TRUE((out + err).contains("no such table: transcript_events")) << out << err;
  sh("$H ls");
  EXPECT_TRUE(err.contains("no such table: transcript_events")) << out << err;
  EXPECT_EQ(sh("$H show s1"), 4) << out << err;
}

TEST_F(DamagedDatabase, ArchiveReportsLostRowsAndShowsCompleteVersion) {
  opencode(2, 30);
  // Without this table, only the time of the session shows that rows have changed.
  sql(kOpencode,
      "CREATE TABLE todo(session_id text, content text, status text, priority text, position integer, "
      "time_created integer, time_updated integer);");
  const std::string whole = text(kOpencode);
  zero_page(kOpencode, page_with(kOpencode, "answer 1.15 "));
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  EXPECT_TRUE((out + err).contains("opencode.db") && (out + err).contains("session ses_1: ") &&
              (out + err).contains("rows of this session cannot be read"))
      << out << err;
  EXPECT_FALSE((out + err).contains("session ses_2")) << out << err;
  EXPECT_EQ(sh("$H archive status --json"), 0) << err;
  EXPECT_EQ(field({"sessions"}), "2") << out;
  // Repaired, and damaged again: the whole version is shown.
  std::ofstream(home + "/" + kOpencode, std::ios::binary) << whole;
  EXPECT_EQ(sh("$H archive run"), 0) << out << err;
  zero_page(kOpencode, page_with(kOpencode, "answer 1.15 "));
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  fs::remove_all(home + "/.local/share/opencode");
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  EXPECT_TRUE(out.contains("answer 1.15") && out.contains("answer 1.29")) << out;
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("answer 2.29")) << out;
}

TEST_F(DamagedDatabase, SessionWithLostRowIsCapturedAndRestored) {
  opencode(2, 3);
  zero_page(kOpencode, root_of(kOpencode, "session"));
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  EXPECT_TRUE((out + err).contains("session ses_2: the row of this session cannot be read")) << out << err;
  fs::remove_all(home + "/.local/share/opencode");
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("question 2.0") && out.contains("answer 2.2")) << out;
  ASSERT_EQ(sh("$H restore ses_2 --to $HOME/back --json"), 0) << err;
  // The file that opencode imports has every message, in order, and none of the other session.
  const std::string file = text(field({"import_file"}).substr(home.size() + 1));
  EXPECT_TRUE(check_json(file).ok()) << file;
  std::size_t at = 0;
  for (int n = 0; n < 6; ++n) {
    const std::string words =
        (n % 2 == 0 ? "\"question 2." : "\"answer 2.") + std::to_string(n / 2) + " " + std::string(900, 'x') + "\"";
    at = file.find(words, at);
    ASSERT_NE(at, std::string::npos) << words << "\n" << file;
  }
  EXPECT_FALSE(file.contains("ses_1")) << file;
}

TEST_F(DamagedDatabase, ParentOfForkIsReadDespiteDamagedIndex) {
  opencode(2, 3);
  sql(kOpencode,
      "UPDATE session SET title='title of ses_1 (fork #1)', time_created=2 WHERE id='ses_2';"
      "UPDATE message SET time_created=time_created-10000 WHERE session_id='ses_2';");
  const std::string whole = text(kOpencode);
  for (const std::string index : {"sqlite_autoindex_session_1", "message_session_time_created_id_idx"}) {
    std::ofstream(home + "/" + kOpencode, std::ios::binary) << whole;
    zero_page(kOpencode, root_of(kOpencode, index));
    EXPECT_EQ(sh("$H ls --json | jq -c '.sessions[] | select(.id == \"ses_2\") | [.parent.id, .damage]'"), 0) << err;
    EXPECT_EQ(out, "[\"ses_1\",1]\n") << index;
    EXPECT_EQ(sh("$H verify ses_2"), 4) << index << out;
    EXPECT_TRUE(out.contains("every row of this session can be read and is shown")) << index << out;
    EXPECT_EQ(sh("$H show ses_2"), 0) << index << err;
    EXPECT_TRUE(out.contains("answer 2.2")) << index << out;
  }
}

TEST_F(DamagedDatabase, SessionWithoutRowIsListedFromMessages) {
  opencode(2, 3);
  ASSERT_EQ(sh("$H verify"), 0) << out;
  sql(kOpencode, "DELETE FROM session WHERE id='ses_2';");
  EXPECT_EQ(damage_in_list("ses_1"), "0");
  EXPECT_EQ(damage_in_list("ses_2"), "1");
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(out.contains("lost_session") && out.contains("1 damaged place")) << out;
  EXPECT_TRUE(out.contains("the row of this session is gone; its title and project are lost")) << out;
  EXPECT_TRUE(err.contains("holdfast rescue opencode/ses_2 --install to import what is left")) << err;
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("question 2.0") && out.contains("answer 2.2") && !out.contains("question 1.")) << out;
  EXPECT_TRUE(err.contains("the row of this session is gone")) << err;
  EXPECT_EQ(sh("$H search 'answer 2.2'"), 0) << err;
  EXPECT_EQ(sh("$H rescue ses_2 -o $HOME/copy --json"), 0) << err;
  EXPECT_EQ(field({"records"}), "12") << out;
  EXPECT_EQ(sh("$H archive run --json"), 0) << out << err;
  EXPECT_EQ(field({"captured"}), "2") << out;
  fs::remove_all(home + "/.local/share/opencode");
  EXPECT_EQ(sh("$H show ses_2"), 0) << err;
  EXPECT_TRUE(out.contains("question 2.0") && out.contains("answer 2.2")) << out;
}

TEST_F(DamagedDatabase, ReportsPartsWithoutAnyRow) {
  opencode(2, 3);
  sql(kOpencode, "DELETE FROM session WHERE id='ses_2'; DELETE FROM message WHERE session_id='ses_2';");
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(out.contains("the session ses_2 is not listed: its row and its messages are gone")) << out;
  EXPECT_TRUE(out.contains("6 parts of them are left; run holdfast rescue opencode/ses_2 -o FILE")) << out;
  EXPECT_EQ(sh("$H rescue opencode/ses_2 -o $HOME/copy"), 0) << err;
  EXPECT_TRUE(text("copy").contains("question 2.0") && text("copy").contains("answer 2.2")) << text("copy");
}

TEST_F(DamagedDatabase, PartsWithoutMessageAreShownAsMessage) {
  opencode(2, 3);
  sql(kOpencode, "DELETE FROM message WHERE id='msg_10003';");
  EXPECT_EQ(damage_in_list("ses_1"), "1");
  EXPECT_EQ(damage_in_list("ses_2"), "0");
  EXPECT_EQ(sh("$H verify"), 4) << out;
  EXPECT_TRUE(out.contains("the row of the message msg_10003 is gone; its parts are shown as a message")) << out;
  EXPECT_TRUE(out.contains("1 damaged place")) << out;
  EXPECT_TRUE(err.contains("holdfast rescue opencode/ses_1 --install to import what is left")) << err;
  const auto shown_in_place = [&] {
    EXPECT_EQ(sh("$H show ses_1"), 0) << err;
    const std::size_t at = out.find("answer 1.1");
    EXPECT_TRUE(at != std::string::npos && at > out.find("question 1.1") && at < out.find("question 1.2")) << out;
  };
  shown_in_place();
  EXPECT_TRUE(err.contains("the row of the message msg_10003 is gone")) << err;
  EXPECT_EQ(sh("$H search 'answer 1.1'"), 0) << err;
  EXPECT_EQ(sh("$H archive run"), 0) << out << err;
  fs::remove_all(home + "/.local/share/opencode");
  shown_in_place();
  ASSERT_EQ(sh("$H restore ses_1 --to $HOME/back --json"), 0) << err;
  EXPECT_TRUE(text(field({"import_file"}).substr(home.size() + 1)).contains("answer 1.1")) << out;
}

// opencode deletes old outputs itself.
TEST_F(DamagedDatabase, MissingToolOutputIsNoDamage) {
  opencode(1, 3);
  sql(kOpencode,
      R"(INSERT INTO part VALUES('prt_tool','msg_10003','ses_1',10003,0,'{"type":"tool","tool":"bash","callID":"c",)"
      R"("state":{"status":"completed","input":{},"output":"the preview","metadata":)"
      R"({"outputPath":"/elsewhere/tool-output/tool_1"},"time":{"start":1,"end":2}}}');)");
  EXPECT_EQ(damage_in_list("ses_1"), "0");
  EXPECT_EQ(sh("$H verify"), 0) << out;
  EXPECT_EQ(sh("$H show ses_1 --tools"), 0) << err;
  EXPECT_TRUE(out.contains("the preview")) << out;
  EXPECT_EQ(err, "");
}

TEST_F(DamagedDatabase, CutFileIsReportedAndShowsTheRest) {
  opencode(2, 30);
  const std::string file = home + "/" + kOpencode;
  const auto whole = fs::file_size(file), left = whole / 2 + 1000;
  fs::resize_file(file, left);
  const std::string words =
      "the database is cut: " + std::to_string(left) + " of " + std::to_string(whole) + " bytes are left";
  for (const std::string id : {"ses_1", "ses_2"}) {
    const std::string damage = damage_in_list(id);
    EXPECT_TRUE(damage != "0" && damage != "not listed") << id << damage;
  }
  EXPECT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(err.contains(words) && err.contains("opencode.db")) << err;
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  EXPECT_TRUE(out.contains("title of ses_1") && out.contains("question 1.0") && out.contains("answer 1.0")) << out;
  EXPECT_TRUE(err.contains(words + "; rows of this session may be lost")) << err;
  EXPECT_EQ(sh("$H verify"), 4);
  EXPECT_TRUE(out.contains(words)) << out;
  EXPECT_NE(sh("$H doctor"), 0);
  EXPECT_TRUE(out.contains(words) && out.contains("opencode.db")) << out;
  // What is left is captured, the title too.
  EXPECT_EQ(sh("$H archive run"), 5) << out;
  EXPECT_TRUE((out + err).contains("session ses_1: " + words)) << out << err;
  fs::remove_all(home + "/.local/share/opencode");
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  EXPECT_TRUE(out.contains("title of ses_1") && out.contains("answer 1.0")) << out;
}

TEST_F(DamagedDatabase, CutWithoutSchemaIsNamedBesideOtherStores) {
  opencode(2, 3);
  const std::string file = home + "/" + kOpencode;
  fs::resize_file(file, 3000);
  EXPECT_EQ(sh("$H ls"), 4) << out;
  EXPECT_TRUE(err.contains("it is cut: 3000 of ") && err.contains(file)) << err;
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  EXPECT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(out.contains("hello") && err.contains("it is cut: 3000 of ") && err.contains(file)) << out << err;
  EXPECT_EQ(sh("$H verify"), 4);
  EXPECT_TRUE(out.contains("it is cut: 3000 of ")) << out;
}

// An agent that uses no write-ahead log was killed in the middle of a transaction.
TEST_F(DamagedDatabase, UnfinishedTransactionIsNotShown) {
  opencode(2, 30);
  claude("aaaaaaaa-0000-4000-8000-000000000001", "\"hello\"");
  const std::string file = home + "/" + kOpencode;
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer,
                         "PRAGMA journal_mode=DELETE; PRAGMA cache_size=5; BEGIN;"
                         "UPDATE part SET data=replace(data,'answer','never committed')",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  const std::string pages = text(kOpencode), journal = text(std::string(kOpencode) + "-journal");
  sqlite3_close(writer);
  ASSERT_TRUE(pages.contains("never committed"));
  std::ofstream(file, std::ios::binary) << pages;
  std::ofstream(file + "-journal", std::ios::binary) << journal;
  EXPECT_EQ(sh("$H ls"), 0) << err;
  EXPECT_TRUE(out.contains("hello") && !out.contains("ses_1")) << out;
  EXPECT_TRUE(err.contains("a transaction is unfinished: opencode.db-journal")) << err;
  EXPECT_EQ(sh("$H show ses_1"), 5) << out;
  EXPECT_TRUE(err.contains("a transaction is unfinished: opencode.db-journal")) << err;
  EXPECT_EQ(sh("$H verify"), 5) << out;
  EXPECT_TRUE(out.contains("a transaction is unfinished: opencode.db-journal")) << out;
  EXPECT_EQ(sh("$H doctor"), 5) << out;
  EXPECT_TRUE(out.contains("a transaction is unfinished: opencode.db-journal")) << out;
  EXPECT_TRUE(text(std::string(kOpencode) + "-journal") == journal && text(kOpencode) == pages) << "nothing is changed";
  // The agent undoes it when it opens the database.
  sql(kOpencode, "SELECT count(*) FROM part");
  EXPECT_EQ(sh("$H show ses_1"), 0) << err;
  EXPECT_TRUE(out.contains("answer 1.0") && !out.contains("never committed")) << out;
}

TEST_F(DamagedDatabase, SearchNamesSessionWithLostRows) {
  opencode(2, 30);
  zero_page(kOpencode, page_with(kOpencode, "answer 1.15 "));
  EXPECT_EQ(sh("$H search 'answer 2.29'"), 0) << err;
  EXPECT_TRUE(err.contains("session ses_1: pages of the database are damaged")) << err;
}

}  // namespace
}  // namespace holdfast::inline v1
