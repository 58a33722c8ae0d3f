// The parts of a log where readers and rescue disagreed: the end, the first line, very long lines, and
// the rest of a damaged line.
#include <vector>

#include "tests/cli/cli_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kId = "0a0a0a0a-0000-4000-8000-00000000000a";

struct LogEdgeCases : CliHome {
  // Writes the log, with a time so old that it does not look in use.
  void put(const std::string& bytes) const {
    fs::create_directories(fs::path(path()).parent_path());
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
    fs::last_write_time(path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  std::string path() const { return home + "/" + name; }
  static std::string said(int number, const std::string& role, const std::string& text) {
    const std::string parent = number == 0 ? "null" : "\"e" + std::to_string(number - 1) + "\"";
    return R"({"type":"message","id":"e)" + std::to_string(number) + R"(","parentId":)" + parent +
           R"(,"timestamp":"2026-01-01T00:00:0)" + std::to_string(number) + R"(.000Z","message":{"role":")" + role +
           R"(","content":[{"type":"text","text":")" + text + "\"}]}}\n";
  }
  // Expects this `damage` in the list and in the shown session, with as many findings.
  void expect_damage(const std::string& count) {
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"damage\":" + count)) << out;
    ASSERT_EQ(sh("$H show " + std::string(kId) + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "damage"}), count) << out;
    std::size_t findings = 0;
    for (const JsonItem& one : JsonView(out).find("damage").elements()) findings += one.value ? 1 : 0;
    EXPECT_EQ(std::to_string(findings), count) << out;
  }
  std::string gone() {
    fs::remove(home + "/copy");
    EXPECT_EQ(sh("$H rescue " + std::string(kId) + " -o $HOME/copy --json"), 0) << err;
    return field({"gone"});
  }

  std::string name = ".pi/agent/sessions/--p--/2026-01-01T00-00-00-000Z_" + std::string(kId) + ".jsonl";
  const std::string header = R"({"type":"session","version":3,"id":")" + std::string(kId) +
                             R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})" + "\n";
  const std::string log = header + said(0, "user", "go") + said(1, "assistant", "done");
};

TEST_F(LogEdgeCases, TrailingNulBytesAreNotReportedAsCutRecord) {
  put(log);
  expect_damage("0");
  put(log + std::string(8192, '\0'));
  expect_damage("1");
  EXPECT_EQ(sh("$H show " + std::string(kId)), 0);
  EXPECT_TRUE(err.contains("NUL bytes, as left by a power loss; left out")) << err;
  EXPECT_TRUE(err.contains("holdfast rescue pi/" + std::string(kId) + " --install to repair the session in place"))
      << err;
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4);
  EXPECT_TRUE(out.contains("nul ")) << out;
  EXPECT_FALSE(out.contains("cut off")) << out;
  EXPECT_TRUE(err.contains("holdfast rescue pi/" + std::string(kId) + " --install")) << err;
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_EQ(text(name), log);
  EXPECT_EQ(sh("$H verify"), 0) << out;
}

TEST_F(LogEdgeCases, CompleteRecordBeforeNulBytesIsRescued) {
  const std::string last = said(2, "user", "more");
  put(log + last.substr(0, last.size() - 1) + std::string(100, '\0'));
  expect_damage("1");
  EXPECT_TRUE(out.contains(R"("text":"more")")) << out;
  EXPECT_EQ(gone(),
            R"([{"offset":)" + std::to_string(log.size() + last.size() - 1) + R"(,"length":100,"kind":"nul"}])");
  EXPECT_EQ(text("copy"), log + last);
}

// Half a record, followed by one that lacks only its newline.
TEST_F(LogEdgeCases, SearchFindsRecordGluedToCutLine) {
  const std::string last = said(2, "user", "needle");
  put(log + said(2, "user", "lost").substr(0, 40) + last.substr(0, last.size() - 1));
  EXPECT_EQ(sh("$H show " + std::string(kId)), 0) << err;
  EXPECT_TRUE(out.contains("needle")) << out;
  for (const std::string how : {"", " --count", "", " --count"}) {  // later searches know the log
    EXPECT_EQ(sh("$H search needle" + how), 0) << how << err;
    EXPECT_TRUE(out.contains(how.empty() ? "needle" : "1")) << how << out;
  }
}

TEST_F(LogEdgeCases, CutRecordIsDamageOnceFileIsIdle) {
  const std::string cut = log + said(2, "user", "more").substr(0, 60);
  put(cut);
  expect_damage("1");
  EXPECT_EQ(sh("$H show " + std::string(kId)), 0);
  EXPECT_TRUE(err.contains("the last record was cut off; it is not shown")) << err;
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4);
  EXPECT_TRUE(out.contains("truncated")) << out;
  EXPECT_EQ(gone(), R"([{"offset":)" + std::to_string(log.size()) + R"(,"length":60,"kind":"truncated"}])");
  // It may be the beginning of a record that is being written.
  std::ofstream(path(), std::ios::binary | std::ios::trunc) << cut;
  fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::seconds(30));
  expect_damage("0");
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 0) << out;
}

// Otherwise a wrong clock would hide the damage for ever.
TEST_F(LogEdgeCases, CutRecordWithTimeInFutureIsDamage) {
  put(log + said(2, "user", "more").substr(0, 60));
  fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::hours(24));
  expect_damage("1");
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4) << out;
  EXPECT_TRUE(out.contains("truncated")) << out;
}

TEST_F(LogEdgeCases, RescueReportsOnlyLostBytes) {
  const std::string fragment = said(1, "assistant", "lost").substr(0, 50);
  put(log + fragment + said(2, "user", "more"));
  EXPECT_EQ(gone(), R"([{"offset":)" + std::to_string(log.size()) + R"(,"length":50,"kind":"glued"}])");
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("50 bytes are lost at 1 place")) << out;
  put(header + std::string(4096, '\0') + said(0, "user", "go"));
  EXPECT_EQ(gone(), R"([{"offset":)" + std::to_string(header.size()) + R"(,"length":4096,"kind":"nul"}])");
  put("\xef\xbb\xbf" + log);
  EXPECT_EQ(gone(), R"([{"offset":0,"length":3,"kind":"not_json"}])");
  EXPECT_EQ(text("copy"), log);
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4);
  EXPECT_TRUE(out.contains("a line that is not a JSON object; one whole record in it is read")) << out;
}

TEST_F(LogEdgeCases, RescueKeepsLineOverReaderLimit) {
  const std::string big = log + said(2, "assistant", "needlebig " + std::string(std::size_t{65} << 20, 'x'));
  std::ofstream(home + "/big", std::ios::binary) << big;
  const auto is_big = [&](const std::string& file) { return sh("cmp $HOME/big $HOME/" + file) == 0; };
  put(big);
  EXPECT_EQ(sh("$H search needlebig"), 1);
  EXPECT_TRUE(err.contains("a line over the limit; left out")) << err;
  EXPECT_EQ(gone(), "[]");
  EXPECT_TRUE(is_big("copy"));
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4);
  EXPECT_FALSE(err.contains("holdfast rescue")) << "there is nothing to repair: " << err;
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("holdfast verify reports (too_long)") && out.contains("nothing was changed")) << out;
  EXPECT_TRUE(is_big(name));
  // Damage beside it is repaired, and the line stays.
  put(big + std::string(10, '\0'));
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("pi could load 3 messages, and still can")) << out;
  EXPECT_TRUE(is_big(name));
}

TEST_F(LogEdgeCases, DamagedFirstLineIsCountedOnce) {
  CodexLog codex(home, kId);
  codex.turn();
  name = codex.path.substr(home.size() + 1);
  const std::string bytes = text(name);
  const auto expect_bytes = [&] {
    ASSERT_EQ(sh("$H ls --json"), 0) << err;
    EXPECT_TRUE(out.contains("\"bytes\":" + std::to_string(text(name).size()))) << out;
    ASSERT_EQ(sh("$H show " + std::string(kId) + " --json"), 0) << err;
    EXPECT_EQ(field({"session", "bytes"}), std::to_string(text(name).size())) << out;
  };
  expect_bytes();
  put("X" + bytes.substr(1));
  expect_damage("1");
  expect_bytes();
  fs::remove_all(home + "/.codex");

  name = ".gemini/tmp/p/chats/session-2026-01-01T00-00-0a0a0a0a.jsonl";
  put("\xef\xbb\xbf{\"sessionId\":\"" + std::string(kId) +
      R"(","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"go"}]})"
      "\n");
  expect_damage("1");
  expect_bytes();
}

TEST_F(LogEdgeCases, RescueRemovesByteOrderMarkOfDocument) {
  name = ".continue/sessions/" + std::string(kId) + ".json";
  const std::string document = R"({"sessionId":")" + std::string(kId) +
                               R"(","title":"t","workspaceDirectory":"/p","history":[{"message":{"role":"user",)"
                               R"("content":"go"},"contextItems":[]}]})";
  put(document);
  expect_damage("0");
  put("\xef\xbb\xbf" + document);
  expect_damage("1");
  EXPECT_TRUE(out.contains(R"("content")") || out.contains("\"go\"")) << out;
  EXPECT_EQ(sh("$H verify " + std::string(kId)), 4);
  EXPECT_TRUE(out.contains("it starts with a byte-order mark, so its agent does not load it")) << out;
  EXPECT_EQ(gone(), R"([{"offset":0,"length":3,"kind":"not_json"}])");
  EXPECT_EQ(text("copy"), document);
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("Continue could load 0 of 1 message, now 1")) << out;
  EXPECT_EQ(text(name), document);
}

// The result gets the time of the call, but never one before the record that precedes it.
TEST_F(LogEdgeCases, SyntheticResultIsNotOlderThanPrecedingRecord) {
  name = ".qwen/projects/-p/chats/" + std::string(kId) + ".jsonl";
  const auto line = [](int number, const std::string& type, const std::string& more) {
    const std::string parent = number == 0 ? "null" : "\"e" + std::to_string(number - 1) + "\"";
    return R"({"uuid":"e)" + std::to_string(number) + R"(","parentUuid":)" + parent + R"(,"sessionId":")" +
           std::string(kId) + R"(","timestamp":"2026-01-01T00:00:0)" + std::to_string(2 * number) +
           R"(.000Z","type":")" + type + R"(","cwd":"/p","version":"0.24.4",)" + more + "}\n";
  };
  const std::string result = line(
      3, "tool_result",
      R"("message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"t","response":{"output":"o"}}}]})");
  put(line(0, "user", R"("message":{"role":"user","parts":[{"text":"go"}]})") +
      line(1, "assistant",
           R"("message":{"role":"model","parts":[{"functionCall":{"id":"c1","name":"t","args":{}}}]})") +
      line(2, "system", R"("subtype":"ui_telemetry","systemPayload":{})") + result.substr(0, result.size() - 9) + "\n" +
      line(4, "assistant", R"("message":{"role":"model","parts":[{"text":"done"}]})"));
  EXPECT_EQ(sh("$H rescue " + std::string(kId) + " --install --yes"), 0) << err;
  const std::string repaired = text(name);
  const std::size_t made = repaired.find("output of this tool call was lost");
  ASSERT_NE(made, std::string::npos) << repaired;
  const std::size_t begin = repaired.rfind('\n', made) + 1;
  const std::string record = repaired.substr(begin, repaired.find('\n', made) - begin);
  EXPECT_TRUE(JsonView(record).find("timestamp").is_string("2026-01-01T00:00:04.000Z")) << record;
  EXPECT_EQ(sh("$H verify --json"), 0) << out;
  EXPECT_FALSE(out.contains("out_of_order")) << out;
}

TEST_F(LogEdgeCases, RescueCountsMessagesOfSubAgent) {
  name = ".claude/projects/-desk/0b0b0b0b-0000-4000-8000-00000000000b/subagents/agent-a549c53f57f71bf53.jsonl";
  const auto line = [](int number, const std::string& type, const std::string& role) {
    const std::string parent = number == 0 ? "null" : "\"u" + std::to_string(number - 1) + "\"";
    return R"({"type":")" + type + R"(","uuid":"u)" + std::to_string(number) + R"(","parentUuid":)" + parent +
           R"(,"isSidechain":true,"agentId":"a549c53f57f71bf53","sessionId":"0b0b0b0b-0000-4000-8000-00000000000b",)"
           R"("cwd":"/w","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":")" +
           role + R"(","content":"said )" + std::to_string(number) + "\"}}\n";
  };
  put(line(0, "user", "user") + line(1, "assistant", "assistant") + "{\"type\":\"us\n" + line(2, "user", "user"));
  EXPECT_EQ(sh("$H rescue a549c53f57f71bf53 --install --dry-run"), 0) << err;
  EXPECT_TRUE(out.contains("Claude Code could load 3 messages, and still can")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
