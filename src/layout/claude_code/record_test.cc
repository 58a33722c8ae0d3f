#include "layout/claude_code/record.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1::claude_code {
namespace {

std::string record(const std::string& id, const std::string& rest) {
  return R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":")" + id + R"(","timestamp":"t")" + rest +
         "}";
}

// What records have in common is read once; nobody can tell by what comes out.
TEST(ClaudeRecord, EndsThatWereSeenBeforeReadTheSame) {
  const std::string end =
      R"(,"userType":"external","entrypoint":"cli","cwd":"/a","sessionId":"s","version":"2","gitBranch":"m")";
  const std::string lines[] = {
      record("1", end),
      record("2", end),
      record("3", R"(,"cwd":"/before","userType":"external")"),
      record("4", R"(,"userType":"external")"),
      record("5", R"(,"cwd":"/other")" + end),
      record("6", R"(,"permissionMode":"plan")" + end),
      record("7", R"(,"userType":"external","cwd":"/a","isMeta":true)"),
      record("8", R"(,"userType":"external","cwd":"/a","isMeta":true)"),
      record("9", R"(,"userType":"external","cwd":"/b","gitBranch":"n")"),
      record("10", R"(,"userType":"external","cwd":"/b","gitBranch":"n")"),
      R"({"type":"api-request","userType":"external","cwd":"/b","shape":{"cwd":"/no"}})",
      record("11", R"(,"userType":"external","cwd":"/b","gitBranch":"")"),
      record("12", end),
  };
  for (const bool alternating : {false, true}) {
    SeenBefore seen;
    int n = 0;
    for (const std::string& line : lines) {
      SCOPED_TRACE(line);
      const RecordWish wish{.whole = alternating ? n % 2 == 1 : true, .previews = true, .session = n == 0};
      ++n;
      SeenBefore nothing;
      const Record one = read_record(line, wish, seen);
      const Record other = read_record(line, {.whole = wish.whole, .previews = true, .session = true}, nothing);
      EXPECT_EQ(one.message.id, other.message.id);
      EXPECT_EQ(one.message.origin, other.message.origin);
      EXPECT_EQ(one.message.context.cwd, other.message.context.cwd);
      EXPECT_EQ(one.message.context.git_branch, other.message.context.git_branch);
      EXPECT_EQ(one.message.context.version, other.message.context.version);
      EXPECT_EQ(one.message.context.user_type, other.message.context.user_type);
      EXPECT_EQ(one.message.context.permission_mode, other.message.context.permission_mode);
    }
  }
}

// Who does not want the outputs must still know which of them lie in a file beside the log.
TEST(ClaudeRecord, PreviewsAreReadWithoutTheOutputs) {
  const auto text = [](const std::string& content, bool previews) {
    const std::string line =
        R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":)" +
        content + R"(}]},"uuid":"1"})";
    SeenBefore seen;
    const Record read = read_record(line, {.whole = false, .previews = previews, .session = false}, seen);
    return read.message.blocks.at(0).text;
  };
  const std::string preview = "<persisted-output>\nFull output saved to: /x/t.txt";
  EXPECT_EQ(text(R"("<persisted-output>\nFull output saved to: /x/t.txt")", true), preview);
  EXPECT_EQ(text(R"("\u003cpersisted-output>\nFull output saved to: /x/t.txt")", true), preview);
  EXPECT_EQ(text(R"("<persisted-out\u0070ut>\nFull output saved to: /x/t.txt")", true), preview);
  EXPECT_EQ(text(R"([{"type":"text","text":"<persisted-output>\nFull output saved to: /x/t.txt"}])", true), preview);
  EXPECT_EQ(text(R"("<persisted-output>\nFull output saved to: /x/t.txt")", false), "");
  EXPECT_EQ(text(R"("what a tool said\n")", true), "");
}

}  // namespace
}  // namespace holdfast::inline v1::claude_code
