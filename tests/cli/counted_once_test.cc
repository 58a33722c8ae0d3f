// Records that come twice are shown as they are and count once, in every figure.
#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct CountedOnce : CliHome {
  // Writes a log that is not being written any more.
  void put(const std::string& name, const std::string& bytes) {
    const fs::path path = home + "/" + name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24));
  }
};

std::string doubled(const std::string& log) {
  std::string twice;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at) + 1;
    for (int n = 0; n < 2; ++n) twice += log.substr(at, end - at);
    at = end;
  }
  return twice;
}

// The usage of a response follows its messages, so that only the second copy of an answer has it.
TEST_F(CountedOnce, AnswersOfCodex) {
  const std::string id = "019a0000-0000-7000-8000-000000000001";
  int number = 0;
  const auto record = [&](const std::string& type, const std::string& payload) {
    const std::string ordinal = std::to_string(number++);
    return R"({"timestamp":"2026-01-01T00:00:0)" + ordinal + R"(Z","ordinal":)" + ordinal + R"(,"type":")" + type +
           R"(","payload":)" + payload + "}\n";
  };
  const std::string log =
      record("session_meta", R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
      record("response_item",
             R"({"type":"message","id":"msg_u","role":"user","content":[{"type":"input_text","text":"ask"}]})") +
      record("response_item",
             R"({"type":"message","id":"msg_a","role":"assistant","content":[{"type":"output_text","text":"said"}]})") +
      record("token_usage_record", R"({"response_id":"resp_a","usage":{"input_tokens":10,"output_tokens":5}})");
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl", doubled(log));
  EXPECT_EQ(sh("$H verify"), 4) << out << err;
  EXPECT_TRUE(out.contains("the id msg_a occurs twice; both are shown, it counts once")) << out;
  ASSERT_EQ(sh("$H show 019a"), 0) << err;
  EXPECT_TRUE(out.contains("1 prompt, 1 answer · 5 tokens out")) << out;
  for (const std::string line : {"ls --json", "show 019a --format json"}) {
    ASSERT_EQ(sh("$H " + line), 0) << err;
    EXPECT_TRUE(out.contains(R"("user":1,"assistant":1,)")) << line << out;
  }
  ASSERT_EQ(sh("$H rescue 019a --install --yes"), 0) << err;
  EXPECT_TRUE(out.contains("Codex could load 3 messages, and still can\n")) << out;
}

// Forks of older versions repeat the history of their parent, with its times or with new ones, with its token counts
// or without, and their messages have no ids. A fork of the fork repeats both.
TEST_F(CountedOnce, HistoryThatForksOfCodexRepeat) {
  const std::string first = "01990000-0000-7000-8000-0000000000a1", second = "01990000-0000-7000-8000-0000000000f1",
                    third = "01990000-0000-7000-8000-0000000000f2";
  const auto record = [](const std::string& second_of, const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-10-01T01:00:)" + second_of + R"(.000Z","type":")" + type + R"(","payload":)" +
           payload + "}\n";
  };
  const auto meta = [&](const std::string& when, const std::string& id, const std::string& parent) {
    return record(when, "session_meta",
                  R"({"id":")" + id + R"(","timestamp":"2026-10-01T01:00:)" + when +
                      R"(.000Z","cwd":"/home/u/p","cli_version":"0.129.0")" +
                      (parent.empty() ? "" : R"(,"forked_from_id":")" + parent + "\"") + "}");
  };
  const auto turn = [&](const std::string& when, int number, bool counts) {
    const std::string n = std::to_string(number);
    const auto said = [&](const std::string& role, const std::string& kind, const std::string& text) {
      return record(when, "response_item",
                    R"({"type":"message","role":")" + role + R"(","content":[{"type":")" + kind + R"(","text":")" +
                        text + R"("}]})");
    };
    const auto figures = [](int times) {
      return R"({"input_tokens":)" + std::to_string(100 * times) + R"(,"cached_input_tokens":0,"output_tokens":)" +
             std::to_string(20 * times) + "}";
    };
    return said("user", "input_text", "q" + n) + said("assistant", "output_text", "a" + n) +
           (counts ? record(when, "event_msg",
                            R"({"type":"token_count","info":{"total_token_usage":)" + figures(number) +
                                R"(,"last_token_usage":)" + figures(1) + "}}")
                   : std::string());
  };
  const std::string folder = ".codex/sessions/2026/10/01/rollout-2026-10-01T01-00-";
  for (const std::string again : {"02", "10"}) {
    for (const bool counts : {true, false}) {
      SCOPED_TRACE(again + (counts ? " with counts" : " without"));
      put(folder + "01-" + first + ".jsonl", meta("01", first, "") + turn("02", 1, true));
      put(folder + "10-" + second + ".jsonl",
          meta("10", second, first) + meta("01", first, "") + turn(again, 1, counts) + turn("16", 2, true));
      put(folder + "20-" + third + ".jsonl", meta("20", third, second) + meta("10", second, first) +
                                                 meta("01", first, "") + turn("20", 1, counts) + turn("20", 2, counts) +
                                                 turn("26", 3, true));
      ASSERT_EQ(sh("$H stats --by agent --json"), 0) << err;
      EXPECT_EQ(field({"total", "prompts"}), "3") << out;
      EXPECT_EQ(field({"total", "answers"}), "3") << out;
      EXPECT_EQ(field({"total", "usage", "input"}), "300") << out;
      EXPECT_EQ(field({"total", "usage", "output"}), "60") << out;
    }
  }
  // The same words in another session are not a copy.
  const std::string other = "01990000-0000-7000-8000-0000000000b1";
  put(folder + "40-" + other + ".jsonl", meta("40", other, "") + turn("42", 1, true));
  ASSERT_EQ(sh("$H stats --by agent --json"), 0) << err;
  EXPECT_EQ(field({"total", "prompts"}), "4") << out;
  EXPECT_EQ(field({"total", "answers"}), "4") << out;
}

TEST_F(CountedOnce, SubAgentsOfQwen) {
  const auto record = [](const std::string& uuid, const std::string& parent, const std::string& rest) {
    return R"({"uuid":")" + uuid + R"(","parentUuid":)" + (parent.empty() ? "null" : "\"" + parent + "\"") +
           R"(,"sessionId":"e3492b98-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:01.000Z","cwd":"/p",)" +
           rest + "}\n";
  };
  put(".qwen/projects/-p/chats/e3492b98-0000-4000-8000-000000000001.jsonl",
      doubled(record("u1", "", R"("type":"user","message":{"role":"user","parts":[{"text":"ask"}]})") +
              record("a1", "u1",
                     R"("type":"assistant","message":{"role":"model","parts":[{"functionCall":{"id":"c1",)"
                     R"("name":"task","args":{}}}]})") +
              record("t1", "a1",
                     R"("type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c1",)"
                     R"("name":"task","response":{"output":"done"}}}]},"toolCallResult":{"callId":"c1",)"
                     R"("status":"success","resultDisplay":{"type":"task_execution"}})")));
  ASSERT_EQ(sh("$H ls --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("subagents":1,)")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
