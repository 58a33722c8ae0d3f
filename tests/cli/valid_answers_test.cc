// Whatever other programs stored where JSON belongs, an answer is one JSON document in UTF-8.
#include <sqlite3.h>

#include <vector>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct ValidAnswers : CliHome {
  // Creates a session ses_1 of opencode with these parts in its answer.
  void opencode(const std::vector<std::string>& parts) {
    const std::string name = home + "/.local/share/opencode/opencode.db";
    fs::create_directories(fs::path(name).parent_path());
    std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
    std::string sql(std::istreambuf_iterator<char>(schema), {});
    sql += R"(
INSERT INTO project VALUES('p','/p');
INSERT INTO session(id,project_id,slug,directory,title,version,time_created,time_updated)
  VALUES('ses_1','p','s','/p','t','1',1,1);
INSERT INTO message VALUES('msg_1','ses_1',1,0,'{"role":"user","time":{"created":1}}');
INSERT INTO part VALUES('prt_1','msg_1','ses_1',1,0,'{"type":"text","text":"the question"}');
INSERT INTO message VALUES('msg_2','ses_1','soon',0,'{"role":"assistant","modelID":"m","providerID":"x"}');
INSERT INTO part VALUES('prt_2','msg_2','ses_1',2,0,'{"type":"text","text":"the answer"}');
)";
    int number = 3;
    for (const std::string& part : parts)
      sql += "INSERT INTO part VALUES('prt_" + std::to_string(number++) + "','msg_2','ses_1',2,0," + part + ");\n";
    sqlite3* database = nullptr;
    char* problem = nullptr;
    sqlite3_open(name.c_str(), &database);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
    sqlite3_close(database);
  }
  // Expects one document per line, or one in all.
  void expect_valid(const std::string& command, bool lines, const std::vector<std::string>& wanted) {
    SCOPED_TRACE(command);
    ASSERT_EQ(sh(command), 0) << err;
    std::string rest = out;
    if (!lines) {
      EXPECT_TRUE(check_json(out).ok()) << out;
      rest.clear();
    }
    for (std::size_t end = 0; lines && (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
      EXPECT_TRUE(check_json(rest.substr(0, end)).ok()) << rest.substr(0, end);
    for (const std::string& one : wanted) EXPECT_TRUE(out.contains(one)) << one << "\n" << out;
  }
};

TEST_F(ValidAnswers, InvalidJsonRowsBecomeStrings) {
  opencode({"'hello'", "'[1,2'", "'{''a'':1}'", "'NaN'", "x'ff68'", "'{\"type\":\"new\",\n \"kept\":7}'",
            "'{\"type\":\"new\",\"figure\":NaN}'"});
  const std::vector<std::string> texts = {R"("hello")", R"("[1,2")", R"("{'a':1}")", R"("NaN")"};
  expect_valid("$H show ses_1 --json", false, texts);
  EXPECT_TRUE(out.contains(R"("raw":"hello")")) << out;
  EXPECT_TRUE(out.contains(R"("kept":7)")) << out;
  EXPECT_TRUE(out.contains(R"(\"figure\":NaN)")) << out;
  EXPECT_TRUE(out.contains(R"("timestamp":null)")) << "a time that is none is not 1970: " << out;
  EXPECT_FALSE(out.contains("1970-01-01T00:00:00.000Z")) << out;
  expect_valid("$H show ses_1 --format json", false, texts);
  expect_valid("$H export ses_1 --format json", false, texts);
  expect_valid("$H export ses_1 --format atif", false, texts);
  expect_valid("$H export ses_1 --format jsonl", true, texts);
  expect_valid("$H message list ses_1 --json", false, texts);
  for (const std::string as : {"anthropic", "openai", "raw"})
    expect_valid("$H message list ses_1 --json --as " + as, false, {});
}

TEST_F(ValidAnswers, InvalidUtf8BecomesReplacementCharacters) {
  ClaudeLog log(home, "aaaaaaaa-0000-4000-8000-000000000001");
  log.turn();
  std::string bytes = text(log.path.substr(home.size() + 1));
  const std::size_t command = bytes.find(R"("ls")");
  ASSERT_NE(command, std::string::npos);
  bytes.replace(command, 4, "\"l\xff\"");
  bytes.replace(bytes.find(R"({"type":"text")"), 14, "{\"type\":\"n\xfe\"");
  std::ofstream(log.path, std::ios::binary | std::ios::trunc) << bytes;
  for (const std::string how :
       {"show aaaa --json", "export aaaa --format json", "export aaaa --format atif", "message list aaaa --json",
        "message list aaaa --json --as anthropic", "message list aaaa --json --as openai"})
    expect_valid("$H " + how, false, {"l\xef\xbf\xbd"});
}

}  // namespace
}  // namespace holdfast::inline v1
