// opencode's database, read by one process while opencode writes, and exported.
#include "tests/cli/cli_testing.h"
#include "tests/cli/database_testing.h"
#include "tests/cli/rpc_process_testing.h"

namespace holdfast::inline v1 {
namespace {

struct Opencode : CliHome {
  void SetUp() override {
    CliHome::SetUp();
    std::ifstream schema(paths::source() + "/tests/fixtures/opencode/schema.sql");
    run_sql(path(), std::string(std::istreambuf_iterator<char>(schema), {}) +
                        "INSERT INTO project VALUES('p','/p');INSERT INTO session(id,project_id,slug,directory,title,"
                        "version,time_created,time_updated) VALUES('ses_1','p','s','/p','t','1',1,1);");
  }
  std::string path() const { return home + "/.local/share/opencode/opencode.db"; }
  // Statements that add a message with one text.
  static std::string message(int number, const std::string& members, const std::string& text) {
    const std::string n = std::to_string(number);
    return "INSERT INTO message VALUES('msg_" + n + "','ses_1'," + n + ",0,'{" + members + R"(,"time":{"created":)" +
           n + "}}');INSERT INTO part VALUES('prt_" + n + "','msg_" + n + "','ses_1'," + n +
           R"(,0,'{"type":"text","text":")" + text + "\"}');";
  }
};

// After a checkpoint, SQLite overwrites its log from the start: the log's inode and size stay as they are.
TEST_F(Opencode, RpcReadsMessagesFromLogOverwrittenInPlace) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  const auto run = [&](const std::string& statements) {
    ASSERT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
  };
  run("PRAGMA wal_autocheckpoint=0;CREATE TABLE filler(bytes);INSERT INTO filler VALUES(zeroblob(2000000));"
      "PRAGMA wal_checkpoint(RESTART);" +
      message(1, R"("role":"user")", "text 1;"));
  const auto size = std::filesystem::file_size(path() + "-wal");
  ASSERT_GT(size, 1'000'000U);
  {
    RpcProcess rpc(home, {});
    std::string all = "text 1;";
    for (int n = 2; n < 12; ++n) {
      for (int again = 0; again < 2; ++again) {
        std::string read;
        const std::string answer = rpc.ask("message.list", R"({"session":"ses_1"})");
        for (const JsonItem& item : JsonView(answer).find("result").find("messages").elements())
          for (const JsonItem& block : item.value.find("blocks").elements())
            read += block.value.find("text").as_string().value_or("?");
        ASSERT_EQ(read, all) << answer;
      }
      const std::string text = "text " + std::to_string(n) + ";";
      run(message(n, R"("role":"user")", text));
      all += text;
      ASSERT_EQ(std::filesystem::file_size(path() + "-wal"), size);
    }
  }
  sqlite3_close(database);
}

// A prompt names the model that is to answer it.
TEST_F(Opencode, HtmlSignsOnlyAnswersWithTheModel) {
  run_sql(path(), message(1, R"("role":"user","agent":"build","model":{"providerID":"p","modelID":"gpt-asked"})",
                          "the prompt") +
                      message(2, R"("role":"assistant","providerID":"p","modelID":"gpt-asked")", "the answer"));
  ASSERT_EQ(sh("$H export ses_1 --format html"), 0) << err;
  const auto heading = [&](const std::string& kind) {
    const auto article = out.find("class=\"" + kind + "\"");
    return article == std::string::npos ? "" : out.substr(article, out.find("</h3>", article) - article);
  };
  EXPECT_TRUE(heading("prompt").contains(" user ")) << out;
  EXPECT_FALSE(heading("prompt").contains("gpt-asked")) << out;
  EXPECT_TRUE(heading("assistant").contains(" gpt-asked ")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
