// A team searches at its server, through the command line: what remote index stores there, and what must vanish again.
#include <regex>

#include "tests/cli/cli_testing.h"
#include "tests/cli/serve_testing.h"
#include "tests/postgres/server_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

// Sessions of an archive have the status archived, so the status is not compared.
std::string without_status(const std::string& text) {
  return std::regex_replace(text, std::regex(R"("status":"[a-z]+",)"), "");
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

struct TeamSearch : CliHome {
  PostgresServer& server = PostgresServer::shared();
  const std::string first = "cccccccc-0000-4000-8000-000000000001", second = "dddddddd-0000-4000-8000-000000000002";
  std::string schema;

  void SetUp() override {
    CliHome::SetUp();
    schema = server.new_schema();
    server.grant_index(schema, "device");
    for (const char* which : {"a", "b"}) {
      for (const char* project : {"thing", "other"}) {
        const std::string git = home + "/" + which + "/" + project + "/.git";
        fs::create_directories(git);
        std::ofstream(git + "/config") << "[remote \"origin\"]\n\turl = git@example.org:me/" << project << ".git\n";
      }
    }
  }
  int on(const std::string& which, const std::string& line) {
    return sh("cd $HOME/" + which + " && env HOME=$HOME/" + which + " $H " + line);
  }
  std::string url(const std::string& role = "device") { return quoted(server.url(schema, role)); }

  // Adds one line to a session of Claude Code.
  void say(const std::string& which, const std::string& id, const std::string& project, const std::string& message,
           int number = 0, const std::string& type = "user") {
    const std::string path = home + "/" + which + "/.claude/projects/-" + project + "/" + id + ".jsonl";
    fs::create_directories(fs::path(path).parent_path());
    const std::string uuid = id.substr(0, 4) + std::to_string(number);
    const std::string parent = number == 0 ? "null" : "\"" + id.substr(0, 4) + std::to_string(number - 1) + "\"";
    std::ofstream(path, std::ios::app) << R"({"type":")" << type << R"(","uuid":")" << uuid << R"(","parentUuid":)"
                                       << parent << R"(,"sessionId":")" << id << R"(","cwd":")" << home << "/" << which
                                       << "/" << project << R"(","timestamp":"2026-01-01T00:0)" << number % 10
                                       << R"(:00Z","message":)" << message << "}\n";
  }
  static std::string typed(const std::string& text_json) { return R"({"role":"user","content":)" + text_json + "}"; }

  // Writes two sessions on `a`: one with an answer, thoughts and a tool, and one of another project.
  void write_sessions() {
    say("a", first, "thing", typed(R"("Why does the lexer race?")"));
    say("a", first, "thing",
        R"({"id":"m1","role":"assistant","model":"claude-opus-4","content":[{"type":"thinking","thinking":"perhaps a mutex"},)"
        R"({"type":"text","text":"The Lexer reads src/text/json_scan.h twice."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"grep -rn zebra_stripe"}}],)"
        R"("usage":{"input_tokens":10,"output_tokens":20}})",
        1, "assistant");
    say("a", first, "thing",
        R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"zebra_stripe = 7 \u00c4rger"}]})",
        2);
    say("a", second, "other", typed(R"("a race of horses")"));
  }
  void share_all(const std::string& policy = "full") {
    ASSERT_EQ(on("a", "remote add db " + url() + " --as laptop"), 0) << err;
    ASSERT_EQ(on("a", "remote share thing --with db --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "remote share other --with db --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
  }
  std::string rows(const std::string& table) { return server.sql("SELECT count(*) FROM " + schema + "." + table); }
  std::string count(const std::string& which, const std::string& words) {
    const int found = on(which, "search --remote db --count " + words);
    EXPECT_EQ(found, out == "0\n" ? 1 : 0) << out << err;
    return out;
  }
  // Expects the same answer from this machine's stores and from the server.
  void expect_same(const std::string& question, const std::string& member) {
    ASSERT_EQ(on("a", question + " --json"), 0) << err;
    const std::string here = without_status(field({member}));
    ASSERT_EQ(on("a", question + " --remote db --json"), 0) << err;
    EXPECT_EQ(without_status(without(field({member}), R"(,"machine":"laptop")")), here) << question;
    EXPECT_GT(here.size(), 2U) << question;
  }
};

TEST_F(TeamSearch, ServerAnswersMatchLocalStores) {
  write_sessions();
  share_all();
  EXPECT_EQ(on("a", "ls --remote db"), 3) << out;
  EXPECT_TRUE(err.contains("remote index db")) << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  EXPECT_TRUE(out.contains("indexed 2 sessions (4 messages) at db")) << out;

  expect_same("ls", "sessions");
  expect_same("ls --long", "sessions");
  expect_same("ls --project thing", "sessions");
  expect_same("ls --agent claude -n 1", "sessions");
  for (const char* words : {"race", "lexer", "\"lexer race\"", "zebra_stripe", "json_scan.h", "mutex", "ärger",
                            "lexer race", "race --in prompts", "lexer --in answers", "zebra --in tools",
                            "perhaps --in thinking", "Lexer --case", "race --project thing", "lex", "bash"})
    expect_same("search " + std::string(words), "hits");
  for (const char* by : {"day", "model", "project", "session", "agent"}) {
    expect_same("stats --by " + std::string(by), "rows");
    expect_same("stats --by " + std::string(by), "total");
  }
  EXPECT_EQ(count("a", "race"), "2\n");
  EXPECT_EQ(count("a", "'lexer race'"), "1\n");
  EXPECT_EQ(count("a", "race --session dddd"), "1\n");
  EXPECT_EQ(count("a", "nowhere"), "0\n");

  // Another machine sees where the sessions are from, and how current the index is.
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "ls --remote db"), 0) << err;
  EXPECT_TRUE(out.contains("[laptop]") && err.contains("from db, indexed 20")) << out << err;
  ASSERT_EQ(on("b", "search race --remote db --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("machine":"laptop")") && out.contains(R"("remote":{"name":"db")")) << out;
  ASSERT_EQ(on("b", "search race --remote db"), 0) << err;
  EXPECT_TRUE(out.contains("claude-code  [laptop]") && err.contains("--machine NAME")) << out << err;
  EXPECT_EQ(on("b", "ls --remote db --starred"), 2) << out;
  EXPECT_EQ(on("b", "search 'ra.e' --regex --remote db"), 2) << out;
  EXPECT_EQ(on("b", "search '=>' --remote db"), 2) << out;
  EXPECT_EQ(on("b", "ls --remote db --machine tower --json"), 1) << "there is none";
  EXPECT_EQ(field({"total"}), "0") << out;
  ASSERT_EQ(on("b", "ls --remote db -n 1 --json"), 0) << err;
  EXPECT_EQ(field({"next"}), "1") << out;
  const std::string cursor = field({"next_cursor"});
  ASSERT_EQ(on("b", "ls --remote db --json --cursor '" + cursor + "'"), 0) << err;
  EXPECT_TRUE(out.contains(second) != out.contains(first)) << out;
}

TEST_F(TeamSearch, ViewerShowsRemote) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  EXPECT_EQ(on("b", "serve --no-open --remote db"), 3) << out;
  EXPECT_TRUE(err.contains("remote index db")) << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  on("b", "serve --no-open --remote db & sleep 2; kill -INT $!");
  EXPECT_TRUE(out.contains("/?remote=db#code=")) << out << err;
  const ServeProcess viewer(home + "/b", {"--remote", "db"});
  // What the viewer asks.
  const HttpReply listed = viewer.call("session.list", R"({"remote":"db","subagents":false,"limit":60})");
  EXPECT_EQ(listed.status, 200) << listed.body;
  EXPECT_TRUE(listed.body.contains(first) && listed.body.contains(second)) << listed.body;
  EXPECT_TRUE(listed.body.contains(R"("machine":"laptop")") && listed.body.contains("indexed_at")) << listed.body;
  const HttpReply found = viewer.call("session.search", R"({"remote":"db","words":["zebra"],"in":"tools","limit":60})");
  EXPECT_TRUE(found.body.contains("zebra_stripe")) << found.body;
  const HttpReply counted = viewer.call("session.stats", R"({"remote":"db","by":"model"})");
  EXPECT_TRUE(counted.body.contains("claude-opus-4")) << counted.body;
  // A session of another machine is read through sync.
  ASSERT_EQ(on("b", "sync"), 0) << err;
  const HttpReply shown = viewer.call("message.list", R"({"session":")" + first + R"(","machine":"laptop"})");
  EXPECT_TRUE(shown.body.contains("The Lexer reads")) << shown.body;
  // The own sessions are also those of a machine.
  const ServeProcess own(home + "/a", {"--remote", "db"});
  const HttpReply mine = own.call("message.list", R"({"session":")" + first + R"(","machine":"laptop"})");
  EXPECT_TRUE(mine.body.contains("The Lexer reads")) << mine.body;
}

TEST_F(TeamSearch, IndexesOnlyNewMessages) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 0 sessions at db")) << out;
  // The same, whoever indexes.
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 0 sessions at db")) << out;

  say("a", first, "thing", typed(R"("and a giraffe")"), 3);
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --remote db"), 0) << err;
  EXPECT_TRUE(err.contains("to add newer data")) << err;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 1 session (1 message) at db")) << out << "only what was added is sent";
  EXPECT_EQ(count("a", "giraffe"), "1\n");
  EXPECT_EQ(rows("hf_message"), "5");
}

TEST_F(TeamSearch, RejectedMessageBlocksNoOther) {
  std::string huge = "whale ";
  for (int i = 0; i < 200'000; ++i) huge += "w" + std::to_string(i * 7919) + "x ";
  say("a", first, "thing", typed(R"("before the storm")"), 0);
  say("a", first, "thing", typed(R"("zero \u0000 byte marlin")"), 1);
  say("a", first, "thing", typed(R"("half \ud800 surrogate dolphin")"), 2);
  say("a", first, "thing", typed("\"" + huge + "\""), 3);
  say("a", first, "thing", typed(R"("after the storm")"), 4);
  say("a", second, "other", typed(R"("calm")"));
  share_all();
  ASSERT_EQ(on("a", "remote index db --json"), 0) << out << err;
  EXPECT_EQ(field({"sessions"}), "2") << out;
  EXPECT_EQ(field({"left_out"}), "0") << out;
  EXPECT_EQ(field({"cut"}), "2") << out << "the one with a zero byte, and the huge one";
  for (const char* word : {"before", "marlin", "dolphin", "whale", "after", "calm"})
    EXPECT_EQ(count("a", word), "1\n") << word;
  EXPECT_TRUE(err.contains("2 messages only partly indexed")) << err;
  EXPECT_EQ(server.sql("SELECT max(length(words)) > 10000 FROM " + schema + ".hf_message"), "t");

  // A message that only this server refuses (it may have another encoding) is stored without its text.
  server.sql("CREATE FUNCTION " + schema +
             ".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.said LIKE '%octopus%' THEN RAISE EXCEPTION "
             "'no' USING ERRCODE = '22P05'; END IF; RETURN NEW; END $$; CREATE TRIGGER refuse BEFORE INSERT ON " +
             schema + ".hf_message FOR EACH ROW EXECUTE FUNCTION " + schema + ".refuse()");
  for (int i = 1; i < 6; ++i) say("a", second, "other", typed(i == 3 ? R"("octopus")" : R"("seagull")"), i);
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  EXPECT_TRUE(out.contains("indexed 1 session (5 messages) at db; 1 message cut")) << out;
  EXPECT_EQ(count("a", "octopus"), "0\n");
  EXPECT_EQ(count("a", "seagull"), "4\n");
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  EXPECT_TRUE(out.contains("indexed 0 sessions")) << out;
}

TEST_F(TeamSearch, UnsharedSessionsAreRemoved) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 2 sessions")) << out;

  // At once, whatever sync does later.
  ASSERT_EQ(on("a", "remote unshare other --with db"), 0) << err;
  EXPECT_TRUE(out.contains("1 session was removed from search")) << out;
  EXPECT_EQ(count("b", "horses"), "0\n");
  EXPECT_EQ(rows("hf_session"), "1");

  // With the next remote index, before the next sync.
  ASSERT_EQ(on("a", "forget " + first + " --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("removed 1")) << out;
  EXPECT_EQ(rows("hf_message"), "0");

  // Another machine may index what was not withdrawn yet; sync removes it again.
  server.sql("UPDATE " + schema + ".hf_indexed SET left_out = 1");
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_EQ(rows("hf_session") + rows("hf_message"), "00");
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_EQ(rows("hf_session") + rows("hf_message"), "00") << out;
}

// Its stream says only what it has read.
TEST_F(TeamSearch, MachineThatOnlyReceivesHasNothingNewer) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "sync"), 0) << err;
  ASSERT_EQ(on("b", "ls --remote db --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("behind":1)")) << out;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  ASSERT_EQ(on("b", "ls --remote db --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("behind":0)")) << out;
}

TEST_F(TeamSearch, ForgottenTextIsRemovedBySync) {
  write_sessions();
  say("a", second, "other", typed(R"("an octopus")"), 1);
  share_all();
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_EQ(count("a", "octopus"), "1\n");
  ASSERT_EQ(on("a", "forget --match octopus --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("erased forgotten text from 1 session")) << out;
  EXPECT_EQ(count("a", "octopus"), "0\n");
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + ".hf_message WHERE said LIKE '%octopus%'"), "0");
  EXPECT_EQ(rows("hf_session"), "1");
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_EQ(rows("hf_session"), "2");
  EXPECT_EQ(count("a", "horses"), "1\n") << "the rest of it is found again";
  EXPECT_EQ(count("a", "octopus"), "0\n");
}

TEST_F(TeamSearch, SubAgentIsIndexedAndRemovedWithItsSession) {
  write_sessions();
  const std::string folder = home + "/a/.claude/projects/-thing/" + first + "/subagents";
  fs::create_directories(folder);
  std::ofstream(folder + "/agent-abc123.jsonl")
      << R"({"type":"user","isSidechain":true,"agentId":"abc123","uuid":"s0","parentUuid":null,"sessionId":")" << first
      << R"(","cwd":")" << home
      << R"(/a/thing","timestamp":"2026-01-01T00:00:30Z","message":{"role":"user","content":"find the platypus"}})"
      << "\n";
  share_all();
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 3 sessions")) << out;
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 0 sessions at db\n")) << out;
  expect_same("search platypus", "hits");
  expect_same("ls", "sessions");
  expect_same("ls --all", "sessions");
  expect_same("ls --all --no-subagents", "sessions");
  expect_same("stats --by session", "rows");
  ASSERT_EQ(on("a", "forget " + first + " --yes"), 0) << out << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("removed 2")) << out;
  EXPECT_EQ(count("a", "platypus"), "0\n");
}

TEST_F(TeamSearch, OtherIndexerRemovesDroppedSession) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  // The machine that withdraws may not change the tables for search, and reports it.
  server.sql("REVOKE DELETE ON " + schema + ".hf_session FROM device");
  ASSERT_EQ(on("a", "remote unshare other --with db"), 0) << err;
  EXPECT_TRUE(out.contains("may still be found by search")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_TRUE((out + err).contains("may still be found by search")) << out << err;
  server.grant_index(schema, "device");
  EXPECT_EQ(count("b", "horses"), "1\n");
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("removed 1")) << out;
  EXPECT_EQ(count("b", "horses"), "0\n");

  ASSERT_EQ(on("a", "remote share thing --with db --policy redacted"), 0) << err;
  EXPECT_TRUE(out.contains("1 session was removed from search")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  EXPECT_EQ(count("b", "lexer"), "2\n");
  EXPECT_EQ(count("b", "json_scan.h"), "0\n") << "paths are masked";
  ASSERT_EQ(on("b", "ls --remote db --json"), 0) << err;
  EXPECT_FALSE(out.contains(first) || out.contains("/thing")) << out;

  ASSERT_EQ(on("a", "remote remove db --erase --yes"), 0) << out << err;
  EXPECT_TRUE(out.contains("removed from search")) << out;
  EXPECT_EQ(rows("hf_session") + rows("hf_message"), "00");
}

TEST_F(TeamSearch, RowsOfErasedDeviceAreRemoved) {
  write_sessions();
  share_all();
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  server.sql("DELETE FROM " + schema + ".hf_stream; DELETE FROM " + schema + ".hf_segment");
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_EQ(rows("hf_session") + rows("hf_message") + rows("hf_indexed"), "000") << out;
}

TEST_F(TeamSearch, RejectsDirectoryAndEncryptedRemotes) {
  write_sessions();
  fs::create_directories(home + "/share");
  ASSERT_EQ(on("a", "remote add nas dir:" + home + "/share --as laptop"), 0) << err;
  for (const char* line : {"remote index nas", "ls --remote nas", "search x --remote nas", "stats --remote nas"}) {
    EXPECT_EQ(on("a", line), 2) << out;
    EXPECT_TRUE(err.contains("is a directory")) << err;
  }
  ASSERT_EQ(on("a", "remote add db " + url() + " --as laptop --encrypt"), 0) << err;
  for (const char* line : {"remote index db", "ls --remote db", "search x --remote db", "stats --remote db"}) {
    EXPECT_EQ(on("a", line), 2) << out;
    EXPECT_TRUE(err.contains("is encrypted")) << err;
  }
  EXPECT_EQ(on("a", "ls --remote nothing"), 3) << out;
}

TEST_F(TeamSearch, ReportsMissingPrivilegesAndTables) {
  write_sessions();
  share_all();
  server.sql("REVOKE ALL ON " + schema + ".hf_message FROM device");
  EXPECT_EQ(on("a", "remote index db"), 7) << out;
  EXPECT_TRUE(err.contains("lacks a privilege")) << err;
  ASSERT_EQ(on("a", "remote check db --json"), 0) << err;
  EXPECT_EQ(field({"missing_index_rights"}),
            R"(["SELECT on hf_message","INSERT on hf_message","DELETE on hf_message"])");
  server.grant_index(schema, "device");
  ASSERT_EQ(on("a", "remote index db"), 0) << err;

  // A role that may only read can search, but not index.
  server.sql("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN");
  server.grant_search(schema, "reader");
  ASSERT_EQ(on("b", "remote add db " + url("reader") + " --as tower"), 0) << err;
  EXPECT_EQ(count("b", "lexer"), "2\n");
  EXPECT_EQ(on("b", "remote index db"), 7) << out;
  EXPECT_TRUE(err.contains("lacks a privilege")) << err;
  server.sql("REVOKE ALL ON ALL TABLES IN SCHEMA " + schema + " FROM reader; REVOKE USAGE ON SCHEMA " + schema +
             " FROM reader; DROP ROLE reader");

  // Tables of the previous version: sync works, search asks for a migration.
  server.sql("DROP TABLE " + schema + ".hf_message, " + schema + ".hf_session, " + schema + ".hf_indexed; UPDATE " +
             schema + ".hf_schema SET version = 1");
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "remote unshare other --with db"), 0) << err;
  EXPECT_FALSE(out.contains("search")) << out;
  for (const char* line : {"remote index db", "ls --remote db"}) {
    EXPECT_EQ(on("a", line), 7) << out;
    EXPECT_TRUE(err.contains("remote migrate")) << err;
  }
  ASSERT_EQ(on("a", "remote migrate " + url("app")), 0) << err;
  EXPECT_TRUE(out.contains("2")) << out;
  server.grant_index(schema, "device");
  ASSERT_EQ(on("a", "remote index db"), 0) << err;
  EXPECT_EQ(count("a", "lexer"), "2\n");
}

TEST_F(TeamSearch, ResumesAfterKillAndRunsConcurrently) {
  constexpr int kSessions = 30;
  for (int i = 0; i < kSessions; ++i) {
    const std::string number = std::to_string(1000 + i);
    for (int line = 0; line < 8; ++line)
      say("a", number + "0000-0000-4000-8000-000000000003", "thing", typed("\"penguin " + number + "\""), line);
  }
  share_all();
  ASSERT_EQ(on("b", "remote add db " + url() + " --as tower"), 0) << err;
  for (const char* wait : {"0.1", "0.3", "0.6", "1.2"})
    sh("cd $HOME/b && env HOME=$HOME/b timeout -s KILL " + std::string(wait) + " $H remote index db");
  // Everything that was written by then is whole.
  EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema +
                       ".hf_session AS s WHERE messages <> 8 OR messages <> (SELECT "
                       "count(*) FROM " +
                       schema + ".hf_message AS m WHERE m.session = s.session)"),
            "0");
  EXPECT_EQ(sh("for which in a b; do (cd $HOME/$which; env HOME=$HOME/$which $H remote index db || touch "
               "$HOME/failed) & done; wait; test ! -e $HOME/failed"),
            0)
      << out << err;
  EXPECT_EQ(rows("hf_session"), std::to_string(kSessions));
  EXPECT_EQ(rows("hf_message"), std::to_string(8 * kSessions));
  EXPECT_EQ(count("a", "penguin"), std::to_string(8 * kSessions) + "\n");
  ASSERT_EQ(on("b", "remote index db"), 0) << err;
  EXPECT_TRUE(out.contains("indexed 0 sessions")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
