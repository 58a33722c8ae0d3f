// `holdfast rescue --install` repairs a damaged session where its agent finds it, and can undo that.
#include <sqlite3.h>

#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr const char* kId = "aaaaaaaa-0000-4000-8000-000000000001";

struct RescueInstall : CliHome {
  // Twenty turns of three records; the line in the middle of the last turn but one is torn.
  std::string damaged() {
    ClaudeLog log(home, kId);
    for (int i = 0; i < 20; ++i) log.turn(20);
    std::string bytes = slurp(log.path);
    std::size_t line = 0;
    for (int i = 0; i < 55; ++i) line = bytes.find('\n', line) + 1;
    bytes.erase(line + 40, bytes.find('\n', line) - line - 40);
    std::ofstream(log.path, std::ios::trunc) << bytes;
    path = log.path;
    return bytes;
  }
  static std::string slurp(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool has(const std::string& text, const std::string& wanted) { return text.find(wanted) != std::string::npos; }
  std::string path;
};

TEST_F(RescueInstall, ArchivedSessionMustBeRestoredFirst) {
  damaged();
  ASSERT_EQ(sh("$H archive run"), 0) << err;
  std::filesystem::remove(path);
  for (const std::string how : {" --yes", " --dry-run", ""}) {
    EXPECT_NE(sh("$H rescue aaaa --install" + how), 0) << out;
    EXPECT_TRUE(has(err, std::string("holdfast restore claude-code/") + kId)) << err;
    EXPECT_FALSE(has(err, "/archive/")) << err;
  }
}

TEST_F(RescueInstall, InstallKeepsDamagedFileAndCanBeUndone) {
  const std::string before = damaged();
  EXPECT_EQ(sh("$H rescue aaaa --install"), 2) << "a program must say --yes";
  EXPECT_TRUE(has(err, "put a repaired copy in the place of " + path)) << err;
  EXPECT_EQ(sh("$H rescue aaaa --install --dry-run"), 0) << err;
  EXPECT_TRUE(has(out, "would put a repaired copy")) << out;
  EXPECT_EQ(slurp(path), before);
  EXPECT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
  // The chain ends after the torn record: four records are left to the agent.
  EXPECT_TRUE(has(out, "Claude Code could load 4 of 59 messages, now 59\n")) << out;
  EXPECT_TRUE(has(out, "the damaged file is kept as " + path + ".damaged\n")) << out;
  EXPECT_EQ(slurp(path + ".damaged"), before);
  EXPECT_EQ(sh("$H verify aaaa"), 0) << out;
  EXPECT_EQ(sh("$H ls --json"), 0);
  EXPECT_EQ(field({"total"}), "1") << "the kept file is no session";
  const std::string copy = slurp(path);
  EXPECT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
  EXPECT_TRUE(has(out, "not damaged; nothing was changed")) << out;
  EXPECT_EQ(sh("$H rescue aaaa --undo --yes --json"), 0) << err;
  EXPECT_EQ(slurp(path), before);
  EXPECT_EQ(slurp(path + ".rescued"), copy) << "nothing is thrown away";
  EXPECT_FALSE(std::filesystem::exists(path + ".damaged"));
  EXPECT_EQ(sh("$H rescue aaaa --undo --yes"), 3);
  EXPECT_TRUE(has(err, "no damaged file is kept beside it")) << err;
}

// A flipped bit breaks UTF-8: the agent loads the record with a replacement character, as in the copy.
TEST_F(RescueInstall, ReplacesInvalidUtf8) {
  ClaudeLog log(home, kId);
  for (int i = 0; i < 3; ++i) log.turn(20);
  std::string bytes = slurp(log.path);
  const std::size_t at = bytes.find("\"text\":\"") + 8;
  bytes[at] = static_cast<char>(bytes[at] ^ '\x80');
  std::ofstream(log.path, std::ios::trunc) << bytes;
  EXPECT_EQ(sh("$H verify aaaa"), 4) << out;
  EXPECT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
  EXPECT_TRUE(has(out, "could load 9 messages, and still can")) << out;
  EXPECT_TRUE(has(out, "U+FFFD")) << out;
  EXPECT_EQ(sh("$H verify aaaa"), 0) << out;
  EXPECT_TRUE(has(slurp(log.path), "\"text\":\"\xEF\xBF\xBD")) << slurp(log.path);
}

// The output is the session; what is wrong with it goes to standard error, in every format.
TEST_F(RescueInstall, ReportsDamageOnStandardError) {
  damaged();
  for (const std::string command :
       {"$H show aaaa", "$H show aaaa --format md", "$H message list aaaa", "$H export aaaa --format md"}) {
    EXPECT_EQ(sh(command), 0) << err;
    // A document that is kept counts the damage, but has no details.
    EXPECT_EQ(has(out, "damage"), has(command, "--format md")) << command << "\n" << out;
    EXPECT_FALSE(has(out, "byte ")) << command << "\n" << out;
    EXPECT_TRUE(has(err, "warning: ") && has(err, ".jsonl, byte ")) << command << "\n" << err;
  }
  EXPECT_EQ(sh("$H show aaaa --format json --json"), 0) << err;
  EXPECT_FALSE(field({"damage"}) == "[]") << out;
}

TEST_F(RescueInstall, KeepsModeAndRefusesLink) {
  damaged();
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_EQ(sh("$H rescue aaaa --undo --yes"), 0) << err;
  EXPECT_EQ(out, "the damaged file is back\nthe repaired copy is kept as " + path + ".rescued\n");
  std::filesystem::rename(path, home + "/elsewhere");
  std::filesystem::create_symlink(home + "/elsewhere", path);
  const std::string before = slurp(path);
  EXPECT_NE(sh("$H rescue aaaa --install --yes"), 0) << out;
  EXPECT_EQ(slurp(home + "/elsewhere"), before);
}

TEST_F(RescueInstall, RefusesRunningSession) {
  const std::string before = damaged();
  std::filesystem::create_directories(home + "/.claude/sessions");
  ASSERT_EQ(sh("sleep 60 & echo $! > $HOME/pid; pid=$(cat $HOME/pid); printf "
               "'{\"pid\":%s,\"sessionId\":\"" +
               std::string(kId) +
               "\",\"cwd\":\"/w\"}' $pid > $HOME/.claude/sessions/$pid.json; "
               "$H ls --json | grep -q '\"status\":\"running\"' || { kill $pid; exit 99; }; "
               "$H rescue aaaa --install --yes; code=$?; kill $pid; exit $code"),
            6)
      << out << err;
  EXPECT_TRUE(has(err, "Claude Code is running this session; end it first")) << err;
  EXPECT_EQ(slurp(path), before);
}

TEST_F(RescueInstall, RefusesFileOpenForWriting) {
  const std::string before = damaged();
  EXPECT_EQ(sh("exec 9>>'" + path + "'; $H rescue aaaa --install --yes"), 6) << out << err;
  EXPECT_TRUE(has(err, "has the session open for writing")) << err;
  EXPECT_EQ(slurp(path), before);
  EXPECT_EQ(sh("exec 9<'" + path + "'; $H rescue aaaa --install --yes"), 0) << "a reader is no reason: " << err;
}

TEST_F(RescueInstall, RefusesNativeSession) {
  const std::string id = create("\"one\"");
  EXPECT_EQ(sh("$H rescue " + id + " --install --yes"), 2);
  EXPECT_TRUE(has(err, "holdfast rescue holdfast/" + id + " -o FILE to write a clean copy")) << err;
}

TEST_F(RescueInstall, ImportsOpencodeSessionUnderNewId) {
  const std::string root = home + "/.local/share/opencode";
  std::filesystem::create_directories(root);
  std::filesystem::create_directories(home + "/project");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((root + "/opencode.db").c_str(), &database), SQLITE_OK);
  const std::string rows =
      "CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text, title "
      "text, version text, time_created integer, time_updated integer, time_archived integer, time_compacting integer);"
      "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data "
      "text);"
      "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated "
      "integer, data text);"
      "CREATE TABLE project (id text PRIMARY KEY, worktree text);"
      "INSERT INTO session VALUES ('ses_e2337678affeXM6AVOfKvhLosL','p',NULL,'s','" +
      home +
      "/project','T','1.18.18',1,2,NULL,NULL);"
      "INSERT INTO message VALUES ('msg_1dcc89902001jLk0OTNwMPtYdR','ses_e2337678affeXM6AVOfKvhLosL',1,1,"
      "'{\"role\":\"user\",\"time\":{\"created\":1}}');"
      "INSERT INTO part VALUES ('prt_1dcc8990d001Oopvbuis10wlvl','msg_1dcc89902001jLk0OTNwMPtYdR',"
      "'ses_e2337678affeXM6AVOfKvhLosL',1,1,'{\"type\":\"text\",\"text\":\"it says \\\"msg_1dcc89902001jLk0OTNwMPtYdR"
      "\\\"\"}');";
  char* why = nullptr;
  ASSERT_EQ(sqlite3_exec(database, rows.c_str(), nullptr, nullptr, &why), SQLITE_OK) << why;
  sqlite3_close(database);
  std::filesystem::create_directories(home + "/bin");
  std::ofstream(home + "/bin/opencode") << "#!/bin/sh\npwd > $HOME/ran\necho $1 >> $HOME/ran\ncp \"$2\" $HOME/taken\n";
  std::filesystem::permissions(home + "/bin/opencode", std::filesystem::perms::owner_all);
  // A session that is not damaged stays as it is.
  std::string before = slurp(root + "/opencode.db");
  EXPECT_EQ(sh("$H rescue ses_e23 --install --dry-run"), 0) << err;
  EXPECT_EQ(out, "would do nothing: the session is not damaged\n");
  for (const std::string yes : {"", " --yes"}) {
    EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H rescue ses_e23 --install" + yes), 0) << err;
    EXPECT_EQ(out, "the session is not damaged; nothing was changed\n");
  }
  EXPECT_EQ(sh("$H rescue ses_e23 --install --yes --json"), 0) << err;
  EXPECT_EQ(field({"import"}), "null") << out;
  EXPECT_EQ(slurp(root + "/opencode.db"), before);
  // The row of a message is lost.
  run_sql(root + "/opencode.db",
          "INSERT INTO part VALUES ('prt_1dcc8aa0d001Oopvbuis10wlvl','msg_1dcc8aa02001jLk0OTNwMPtYdR',"
          "'ses_e2337678affeXM6AVOfKvhLosL',2,2,'{\"type\":\"text\",\"text\":\"the second prompt\"}');");
  before = slurp(root + "/opencode.db");
  EXPECT_EQ(sh("$H rescue ses_e23 --install --dry-run"), 0) << err;
  EXPECT_TRUE(has(out, "would write what is left of the session for opencode to import as session ses_e2337678affe"))
      << out;
  EXPECT_FALSE(std::filesystem::exists(home + "/.cache/holdfast/rescued"));
  EXPECT_FALSE(std::filesystem::exists(home + "/ran"));
  EXPECT_EQ(sh("PATH=$HOME/bin:$PATH $H rescue ses_e23 --install --yes"), 0) << err;
  EXPECT_EQ(text("ran"), home + "/project\nimport\n");
  const std::string taken = text("taken");
  EXPECT_TRUE(check_json(taken).ok()) << taken;
  EXPECT_FALSE(has(taken, "\"ses_e2337678affeXM6AVOfKvhLosL\"")) << taken;
  EXPECT_TRUE(has(taken, "\"id\":\"ses_e2337678affe")) << taken << "in the same order";
  EXPECT_FALSE(has(taken, "\"id\":\"msg_1dcc89902001jLk0OTNwMPtYdR\"")) << taken;
  EXPECT_TRUE(has(taken, "it says \\\"msg_1dcc89902001jLk0OTNwMPtYdR\\\"")) << "what was said stays" << taken;
  EXPECT_TRUE(has(taken, "the second prompt")) << taken;
  EXPECT_EQ(slurp(root + "/opencode.db"), before) << "the old rows stay";
  EXPECT_EQ(sh("$H rescue ses_e23 --install --yes"), 2) << "opencode is not installed here";
  EXPECT_TRUE(has(err, "opencode is not installed")) << err;
  // It is imported once.
  const std::string copy = JsonView(taken).find("info").find("id").as_string().value_or("");
  run_sql(root + "/opencode.db", "INSERT INTO session SELECT '" + copy +
                                     "',project_id,parent_id,slug,directory,title,version,3,3,NULL,NULL FROM session");
  const std::string there = "opencode has what is left of it as session " + copy + " already";
  EXPECT_EQ(sh("$H rescue ses_e2337678affeXM6A --install --dry-run"), 0) << err;
  EXPECT_EQ(out, "would do nothing: " + there + "\n");
  EXPECT_EQ(sh("$H rescue ses_e2337678affeXM6A --install --yes"), 0) << err;
  EXPECT_EQ(out, there + "; nothing was changed\n");
}

// What a copy of all rows would share with the session is no reason for one.
TEST_F(RescueInstall, LeavesWholeOpencodeSessionAsItIs) {
  std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
  run_sql(home + "/.local/share/opencode/opencode.db",
          std::string(std::istreambuf_iterator<char>(schema), {}) +
              "INSERT INTO project VALUES('p','/p');"
              "INSERT INTO session(id,project_id,slug,directory,title,version,time_created,time_updated) "
              "VALUES('ses_1','p','s','/p','t','1',1,1);"
              R"(INSERT INTO message VALUES('msg_1','ses_1',1,0,'{"role":"user","time":{"created":1}}');)"
              R"(INSERT INTO part VALUES('prt_1','msg_1','ses_1',1,0,'{"type":"text","text":"the question"}');)"
              R"(INSERT INTO message VALUES('msg_2','ses_1',2,0,'{"role":"assistant","time":{"created":2}}');)"
              R"(INSERT INTO part VALUES('prt_2','msg_2','ses_1',2,0,'{"type":"tool","tool":"bash","callID":"c",)"
              R"("state":{"status":"running","input":{}}}');)"
              R"(INSERT INTO message VALUES('msg_3','ses_1',3,0,'{"role":"assistant","time":{"created":3}}');)"
              R"(INSERT INTO part VALUES('prt_3','msg_3','ses_1',3,0,'{"type":"text","text":"the answer"}');)");
  EXPECT_EQ(sh("$H verify ses_1"), 4) << out;
  EXPECT_TRUE(has(out, "orphan_call")) << out;
  EXPECT_FALSE(has(err, "rescue")) << err;
  EXPECT_EQ(sh("$H rescue ses_1 --install --yes"), 0) << err;
  EXPECT_EQ(out,
            "every record of the session is complete, and rescue repairs nothing else: what holdfast verify "
            "reports (orphan_call) stays as its agent left it; nothing was changed\n");
}

// Two calls in parallel, of which the first is lost. Its output is kept as text, which is on the branch that the agent
// loads, and which nobody typed.
struct RescuedOutput : RescueInstall {
  static std::string record(const std::string& id, const std::string& parent, const std::string& type,
                            const std::string& content, const std::string& more = {}) {
    return R"({"type":")" + type + R"(","uuid":")" + id + R"(","parentUuid":)" +
           (parent.empty() ? "null" : "\"" + parent + "\"") + R"(,"sessionId":")" + kId +
           R"(","cwd":"/srv/proj","timestamp":"2026-01-01T00:00:0)" + id.substr(1) + R"(Z","message":{"role":")" +
           type + "\"," + more + "\"content\":" + content + "}}\n";
  }
  static std::string answer(const std::string& id, const std::string& parent, const std::string& content) {
    const std::string response = content.contains("tool_use") ? "msg_1" : "msg_2";
    return record(id, parent, "assistant", content, R"("model":"m","id":")" + response + "\",");
  }
  void put(const std::string& output) {
    path = home + "/.claude/projects/-srv-proj/" + std::string(kId) + ".jsonl";
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    const std::string lost = answer("r2", "r1", R"([{"type":"tool_use","id":"t1","name":"Bash","input":{}}])");
    std::ofstream(path) << record("r1", "", "user", "\"the question\"") << lost.substr(0, lost.size() / 2) << "\n"
                        << answer("r3", "r2", R"([{"type":"tool_use","id":"t2","name":"Read","input":{}}])")
                        << record("r4", "r2", "user",
                                  R"([{"type":"tool_result","tool_use_id":"t1","content":)" + output + "}]")
                        << record("r5", "r3", "user",
                                  R"([{"type":"tool_result","tool_use_id":"t2","content":"another output"}])")
                        << answer("r6", "r5", R"([{"type":"text","text":"the answer"}])");
  }
};

TEST_F(RescuedOutput, IsOnTheBranchAndIsNoPrompt) {
  for (const std::string& output :
       {std::string(R"("the lost output")"), std::string(R"([{"type":"text","text":"the lost output"}])")}) {
    std::filesystem::remove_all(home + "/.claude");
    put(output);
    ASSERT_EQ(sh("$H rescue aaaa --install --yes"), 0) << err;
    EXPECT_TRUE(has(out, "now 5\n")) << "all messages can be loaded: " << out;
    ASSERT_EQ(sh("$H show aaaa"), 0) << err;
    EXPECT_TRUE(has(out, "1 prompt, 2 answers")) << out;
    EXPECT_TRUE(has(out, "the lost output") && has(out, "another output") && has(out, "the answer")) << out;
    EXPECT_EQ(out.find("> you"), out.rfind("> you")) << out;
    EXPECT_TRUE(has(out, "\ntool  [")) << out;
    EXPECT_LT(out.find("another output"), out.find("the lost output")) << out;
    EXPECT_FALSE(has(err, "other branches")) << err;
    ASSERT_EQ(sh("$H stats --by session --json"), 0) << err;
    EXPECT_TRUE(has(out, R"("prompts":1,"answers":2)")) << out;
    EXPECT_EQ(sh("$H search 'lost output' --in prompts"), 1) << out;
    EXPECT_EQ(sh("$H search 'lost output' --in tools"), 0) << err;
    ASSERT_EQ(sh("rm -f $HOME/page.html; $H share aaaa --prompts -o $HOME/page.html"), 0) << err;
    EXPECT_TRUE(has(text("page.html"), "the question") && !has(text("page.html"), "the lost output"));
    ASSERT_EQ(sh("$H handoff aaaa --to codex --project $HOME/desk -o $HOME/codex --dry-run"), 0) << err;
    EXPECT_TRUE(has(out, "       1  prompt\n")) << out;
  }
}

// The same for what a hand-off kept of an output whose call is missing.
TEST_F(RescuedOutput, OfHandoffIsNoPromptOfTheNextAgent) {
  path = home + "/.claude/projects/-srv-proj/" + std::string(kId) + ".jsonl";
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << record("r1", "", "user", "\"the question\"")
                      << record("r2", "r1", "user",
                                R"([{"type":"tool_result","tool_use_id":"t1","content":"the lost output"}])")
                      << answer("r3", "r2", R"([{"type":"text","text":"the answer"}])");
  ASSERT_EQ(sh("$H handoff aaaa --to codex --project $HOME/desk -o $HOME/codex"), 0) << err;
  ASSERT_EQ(sh("$H show codex/@last --store codex:$HOME/codex"), 0) << err;
  EXPECT_TRUE(has(out, "1 prompt, 1 answer") && has(out, "the lost output")) << out;
  EXPECT_EQ(out.find("> you"), out.rfind("> you")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
