// What people see of agents' stores, where a reader once showed or counted it wrongly.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct Readers : CliHome {
  void put(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(home + "/" + name).parent_path());
    std::ofstream(home + "/" + name) << bytes;
  }
};

std::string claude_line(const std::string& uuid, const std::string& parent, const std::string& type,
                        const std::string& message) {
  return R"({"parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         R"(,"isSidechain":false,"cwd":"/p","sessionId":"0a0a0a0a-0000-4000-8000-000000000001","type":")" + type +
         R"(","message":)" + message + R"(,"uuid":")" + uuid + R"(","timestamp":"2026-01-01T00:00:00Z"})" + "\n";
}

std::string call(const std::string& id) {
  return R"({"id":"msg_1","role":"assistant","model":"m","content":[{"type":"tool_use","id":")" + id +
         R"(","name":"Bash","input":{"command":"run )" + id + R"("}}]})";
}

std::string result(const std::string& id) {
  return R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id + R"(","content":"out of )" + id +
         R"("}]})";
}

TEST_F(Readers, ClaudeCodeShowsAllParallelCalls) {
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("p", "", "user", R"({"role":"user","content":"go"})") +
          claude_line("a", "p", "assistant", call("toolu_a")) + claude_line("b", "a", "assistant", call("toolu_b")) +
          claude_line("c", "b", "assistant", call("toolu_c")) + claude_line("rc", "c", "user", result("toolu_c")) +
          claude_line("rb", "b", "user", result("toolu_b")) + claude_line("ra", "a", "user", result("toolu_a")) +
          claude_line("n", "ra", "assistant",
                      R"({"id":"msg_2","role":"assistant","model":"m","content":[{"type":"text","text":"done"}]})"));
  for (const char* line : {"$H show 0a0a", "$H show 0a0a --format json", "$H export 0a0a --format md"}) {
    ASSERT_EQ(sh(line), 0) << line << err;
    for (const char* text :
         {"run toolu_a", "run toolu_b", "run toolu_c", "out of toolu_a", "out of toolu_b", "out of toolu_c", "done"})
      EXPECT_TRUE(out.contains(text)) << line << ": " << text << "\n" << out;
  }
}

std::string codex(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
}

// Behind another link there may be the whole disk.
TEST_F(Readers, CodexFollowsLinksOnlyInFoldersOfDates) {
  const auto id = [](int n) { return "019a0000-0000-7000-8000-00000000000" + std::to_string(n); };
  const auto thread = [&](const std::string& folder, int n) {
    put(folder + "/rollout-2026-01-01T00-00-00-" + id(n) + ".jsonl",
        codex("session_meta", R"({"id":")" + id(n) + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
            codex("response_item",
                  R"({"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]})"));
  };
  const std::string sessions = home + "/.codex/sessions/";
  thread(".codex/sessions/2026/01/01", 1);
  thread(".codex/sessions/mine", 2);
  thread("archive/02/03", 3);
  fs::create_directory_symlink(home + "/archive", sessions + "2025");
  thread("away", 4);
  fs::create_directory_symlink(home + "/away", sessions + "old");
  fs::create_directory_symlink(home + "/away", home + "/archive/02/old");
  fs::create_directory_symlink("/", sessions + "2026/all");
  fs::create_directory_symlink("/", home + "/archive/all");
  ASSERT_EQ(sh("timeout 60 $H ls --json"), 0) << out << err;
  for (int n = 1; n <= 4; ++n) EXPECT_EQ(out.contains(id(n)), n < 4) << n << out;
}

// Killed during a tool call, then resumed: the client continues from the total before the killed response.
TEST_F(Readers, ResumedCodexThreadCountsTokensOnce) {
  const std::string id = "019a0000-0000-7000-8000-000000000001";
  const auto answer = [](const std::string& text) {
    return codex("response_item", R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")" +
                                      text + R"("}]})");
  };
  const auto record = [](const std::string& name, int more, int total) {
    return codex("token_usage_record", R"({"response_id":")" + name + R"(","usage":{"input_tokens":)" +
                                           std::to_string(more) +
                                           R"(,"output_tokens":1},"thread_token_usage":{"input_tokens":)" +
                                           std::to_string(total) + R"(,"output_tokens":1}})");
  };
  const auto count = [](int total) {
    return codex("event_msg", R"({"type":"token_count","info":{"total_token_usage":{"input_tokens":)" +
                                  std::to_string(total) + R"(,"output_tokens":1}}})");
  };
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl",
      codex("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
          codex("turn_context", R"({"cwd":"/p","model":"gpt-asked"})") +
          codex("response_item",
                R"({"type":"message","role":"user","content":[{"type":"input_text","text":"the prompt"}]})") +
          answer("one") + record("r1", 1000, 1000) + count(1000) + answer("two") + record("r2", 700, 1700) +
          count(1000) + answer("three") + record("r3", 10, 1710) + count(1010));
  ASSERT_EQ(sh("$H stats --json"), 0) << err;
  EXPECT_TRUE(out.contains("1710")) << out;
  EXPECT_FALSE(out.contains("2710") || out.contains("2720") || out.contains("3720")) << out;
  ASSERT_EQ(sh("$H export " + id + " --format html"), 0) << err;
  const auto article = out.find("class=\"prompt\"");
  ASSERT_NE(article, std::string::npos) << out;
  EXPECT_FALSE(out.substr(article, out.find("</h3>", article) - article).contains("gpt-asked")) << out;
  EXPECT_TRUE(out.contains("gpt-asked")) << "answers are signed by their model";
}

TEST_F(Readers, StatsCountsByLocalDay) {
  const auto answer = [](const std::string& uuid, const std::string& parent, const std::string& time, int output) {
    std::string line = claude_line(uuid, parent, "assistant",
                                   R"({"id":"msg_)" + uuid +
                                       R"(","role":"assistant","model":"m","content":[{"type":"text","text":"t"}],)" +
                                       R"("usage":{"input_tokens":1,"output_tokens":)" + std::to_string(output) + "}}");
    return line.replace(line.find("2026-01-01T00:00:00Z"), 20, time);
  };
  put(".claude/projects/-p/0a0a0a0a-0000-4000-8000-000000000001.jsonl",
      claude_line("p", "", "user", R"({"role":"user","content":"go"})") +
          answer("a", "p", "2026-01-05T03:00:00Z", 100) + answer("b", "a", "2026-01-07T12:00:00Z", 23));
  const auto output = [&](const std::string& line, int code = 0) {
    EXPECT_EQ(sh(line), code) << err;
    return JsonView(out).find("total").find("usage").find("output").as_int64().value_or(-1);
  };
  EXPECT_EQ(output("$H stats --json"), 123);
  EXPECT_EQ(output("$H stats --json --since 2026-01-06"), 23);
  EXPECT_EQ(output("$H stats --json --until 2026-01-06"), 100);
  EXPECT_EQ(output("$H stats --json --since 2026-01-06 --until 2026-01-06", 1), 0) << "nothing found";
  EXPECT_EQ(sh("$H stats"), 0);
  EXPECT_TRUE(out.contains("2026-01-05")) << out;
  EXPECT_EQ(sh("TZ=XXX8 $H stats"), 0);
  EXPECT_TRUE(out.contains("2026-01-04") && !out.contains("2026-01-05")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
