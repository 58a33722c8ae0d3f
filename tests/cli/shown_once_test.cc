// show prints the output of a tool once, under its call, whatever stands beside it.
#include "tests/cli/handoff_home_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ShownOnce : HandoffHome {
  std::size_t times(std::string_view words) const {
    std::size_t count = 0;
    for (std::size_t at = out.find(words); at != std::string::npos; at = out.find(words, at + 1)) ++count;
    return count;
  }
};

TEST_F(ShownOnce, OutputWithPictureOrText) {
  put_session(record("u1", "", "user", "\"look\"") +
              record("a1", "u1", "assistant", R"([{"type":"tool_use","id":"t1","name":"Look","input":{}}])") +
              record("u2", "a1", "user",
                     R"([{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"SEEN"},)"
                     R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},)"
                     R"({"type":"text","text":"BESIDE"}])"));
  for (const std::string more : {"", " --tools"}) {
    ASSERT_EQ(sh("$H show bbbb" + more), 0) << err;
    EXPECT_EQ(times("SEEN"), 1u) << more << out;
    EXPECT_EQ(times("(an image, image/png, 8 bytes)"), 1u) << more << out;
    EXPECT_EQ(times("BESIDE"), 1u) << more << out;
  }
}

TEST_F(ShownOnce, SearchOfCodex) {
  const std::string thread = "019a0000-0000-7000-8000-000000000001";
  const auto record_of = [](const std::string& type, const std::string& payload) {
    return R"({"timestamp":"2026-01-01T00:00:00Z","type":")" + type + R"(","payload":)" + payload + "}\n";
  };
  put(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + thread + ".jsonl",
      record_of("session_meta", R"({"id":")" + thread + R"(","timestamp":"2026-01-01T00:00:00Z","cwd":"/p"})") +
          record_of("response_item",
                    R"({"type":"message","role":"user","content":[{"type":"input_text","text":"find it"}]})") +
          record_of("response_item", R"({"type":"web_search_call","id":"ws_1","status":"completed",)"
                                     R"("action":{"type":"search","query":"q"}})"));
  ASSERT_EQ(sh("$H show 019a"), 0) << err;
  EXPECT_EQ(times("= completed"), 1u) << out;
}

// It has ended, so nothing is pending.
TEST_F(ShownOnce, CancelledCallOfGemini) {
  put(".gemini/tmp/alpha/chats/session-2026-01-01T00-00-9617824d.jsonl",
      R"({"sessionId":"9617824d-0000-4000-8000-000000000001","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
      R"("lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"go"}]})"
      "\n"
      R"({"id":"g1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"I will","toolCalls":[)"
      R"({"id":"t1","name":"run","args":{},"status":"cancelled"}]})"
      "\n");
  ASSERT_EQ(sh("$H show 9617"), 0) << err;
  EXPECT_EQ(times("! (nothing)"), 1u) << out;
  ASSERT_EQ(sh("$H show 9617 --format json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("is_error":true)")) << out;
}

}  // namespace
}  // namespace holdfast::inline v1
