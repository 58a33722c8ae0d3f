// Sessions whose beginning, or all of it, is gone: what verify says of them is what rescue does.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

const std::string kGemini = "9617824d-1fb9-4a5f-af3a-8759e3218964";
const std::string kThread = "01a1dcc0-07b9-73b3-8a62-b637f0a9ebc9";

struct LostBeginning : CliHome {
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name, std::ios::binary) << bytes;
    fs::last_write_time(home + "/" + name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
};

std::string header() {
  return R"({"sessionId":")" + kGemini +
         R"(","projectHash":"34ef","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z","kind":"main"})"
         "\n";
}

// Ten records of a session of Gemini after its header.
std::string turns() {
  std::string log;
  for (int n = 0; n < 5; ++n) {
    const std::string number = std::to_string(n);
    log += R"({"id":"u)" + number + R"(","timestamp":"2026-01-01T00:0)" + number +
           R"(:00Z","type":"user","content":[{"text":"ask )" + number + "\"}]}\n";
    log += R"({"id":"g)" + number + R"(","timestamp":"2026-01-01T00:0)" + number +
           R"(:30Z","type":"gemini","content":"answer )" + number + R"(","model":"m"})" + "\n";
  }
  return log;
}

const std::string kChats = ".gemini/tmp/alpha/chats/", kLog = kChats + "session-2026-01-01T00-00-9617824d.jsonl";

TEST_F(LostBeginning, AResumedLogOfGeminiGetsItsHeaderBack) {
  put(kLog, turns() + header() + R"({"$set":{"lastUpdated":"2026-01-01T01:00:00Z"}})" + "\n");
  EXPECT_EQ(sh("$H verify 9617824d"), 4) << out;
  EXPECT_TRUE(out.contains("no_header")) << out;
  // The header further down says the whole id.
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains("\"id\":\"" + kGemini + "\"")) << out;
  ASSERT_EQ(sh("$H resume 9617824d --print"), 0) << err;
  EXPECT_TRUE(out.contains("gemini --resume " + kGemini)) << out;
  ASSERT_EQ(sh("$H rescue 9617824d -o $HOME/copy --json"), 0) << err;
  EXPECT_EQ(field({"headers"}), "1") << out;
  EXPECT_TRUE(text("copy").starts_with("{\"sessionId\":\"" + kGemini + "\",\"projectHash\":\"34ef\"")) << text("copy");
  ASSERT_EQ(sh("$H rescue 9617824d --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("Gemini CLI could load 0 of 10 messages, now 10")) << out;
  EXPECT_EQ(sh("$H verify 9617824d"), 0) << out;
}

TEST_F(LostBeginning, TheFolderOfItsSubAgentsSaysTheIdOfALogOfGemini) {
  put(kLog, turns());
  put(kChats + kGemini + "/abc.jsonl", header() + turns());
  ASSERT_EQ(sh("$H ls --json --no-subagents"), 0) << err;
  EXPECT_TRUE(out.contains("\"id\":\"" + kGemini + "\"") && out.contains("\"subagents\":1")) << out;
  ASSERT_EQ(sh("$H rescue " + kGemini + " --install --yes"), 0) << err;
  EXPECT_TRUE(text(kLog).starts_with("{\"sessionId\":\"" + kGemini + "\"")) << text(kLog);
  EXPECT_EQ(sh("$H verify " + kGemini), 0) << out;
}

TEST_F(LostBeginning, AnEmptyLogAndAnEmptyDatabaseAreNoted) {
  put(".local/share/opencode/opencode.db", "");
  ASSERT_EQ(sh("$H verify"), 0) << out << err;
  EXPECT_TRUE(out.contains("the database is empty: there are no sessions in it, e.g. in opencode.db\n")) << out;
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + kThread + ".jsonl", "");
  ASSERT_EQ(sh("$H verify 01a1dcc0"), 0) << out << err;
  EXPECT_TRUE(out.contains("the file is empty: there is nothing of the session in it, e.g. in " + kThread)) << out;
  ASSERT_EQ(sh("$H verify --json"), 0) << err;
  EXPECT_EQ(field({"notes_total"}), "2") << out;
  // A session of our own without a message is no oddity.
  ASSERT_EQ(sh("$H session create --title new"), 0) << err;
  ASSERT_EQ(sh("$H verify @last --json"), 0) << err;
  EXPECT_EQ(field({"notes_total"}), "0") << out;
}

}  // namespace
}  // namespace holdfast::inline v1
