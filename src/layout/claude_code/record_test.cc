#include "layout/claude_code/record.h"

#include <gtest/gtest.h>

#include <iterator>

namespace holdfast::inline v1::claude_code {
namespace {

std::string record(const std::string& id, const std::string& rest) {
  return R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":")" + id + R"(","timestamp":"t")" + rest +
         "}";
}

// What records have in common is parsed once; the result is the same.
TEST(ClaudeRecord, ParseCacheDoesNotChangeResult) {
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
    ParseCache seen;
    int n = 0;
    for (const std::string& line : lines) {
      SCOPED_TRACE(line);
      const RecordOptions options{.whole = alternating ? n % 2 == 1 : true, .previews = true, .session = n == 0};
      ++n;
      ParseCache nothing;
      const Record one = read_record(line, options, seen);
      const Record other = read_record(line, {.whole = options.whole, .previews = true, .session = true}, nothing);
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

// A reader that skips the outputs must still know which of them are in a file beside the log.
TEST(ClaudeRecord, ReadsPreviewsWhenSkippingOutputs) {
  const auto text = [](const std::string& content, bool previews) {
    const std::string line =
        R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":)" +
        content + R"(}]},"uuid":"1"})";
    ParseCache seen;
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

// The part after toolUseResult is found by its length; the result is the same.
TEST(ClaudeRecord, TailSizeCacheDoesNotChangeTreeRecord) {
  const auto line = [](const std::string& before, const std::string& result, const std::string& id,
                       const std::string& end = R"(,"timestamp":"t"})") {
    return R"({"parentUuid":"p",)" + before +
           R"("type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]},)"
           R"("toolUseResult":)" +
           result + R"(,"uuid":")" + id + "\"" + end;
  };
  const std::string side = R"("isSidechain":false,)";
  const std::string lines[] = {
      line(side, R"({"stdout":"x"})", "1"), line(side, R"({"stdout":")" + std::string(300, 'x') + R"("})", "2"),
      line(side, R"("a text, \"uuid\":\"no\"")", "3"), line(side, R"([{"a":1,"uuid":"no"}])", "4"),
      // A key of the same name inside toolUseResult, followed by as many bytes.
      line(side, R"({"a":1,"uuid":"nnnnn"})", "5", "}"),
      R"({"parentUuid":"p","isSidechain":false,"type":"user","message":{},"uuid":"6","toolUseResult":{"a":1,"uuid":"n","timestamp":"t"}})",
      R"({"parentUuid":"p","isSidechain":false,"type":"user","message":{},"toolUseResult":{"a":1,"uuid":"n","timestamp":"t"}})",
      line(side, R"({})", "7"),
      // isSidechain comes after toolUseResult, so the reader has to search for it.
      line("", R"({"a":1})", "8", R"(,"isSidechain":true})"), line("", R"({"a":1},"isSidechain":true)", "9"),
      line(side, R"({"a":1})", "a longer id"), line(side, R"({"a":2})", "10"),
      R"({"type":"summary","summary":"s","leafUuid":"l","toolUseResult":1})",
      R"({"type":"last-prompt","toolUseResult":{"a":[1,2]},"leafUuid":"l"})", line(side, R"({"a":3})", "11"),
      line(side, "{\"a\":3", "12"),  // not JSON: any result is fine
  };
  TailSizeCache seen;
  int jumps = 0;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& one : lines) {
      SCOPED_TRACE(one);
      jumps += seen.size > 0 ? 1 : 0;
      const Record known = read_tree_record(one, seen);
      TailSizeCache nothing;
      const Record fresh = read_tree_record(one, nothing);
      if (one == lines[std::size(lines) - 1]) continue;
      EXPECT_EQ(known.kind, fresh.kind);
      EXPECT_EQ(known.text, fresh.text);
      EXPECT_EQ(known.message.id, fresh.message.id);
      EXPECT_EQ(known.message.parent, fresh.message.parent);
      EXPECT_EQ(known.message.side, fresh.message.side);
      EXPECT_EQ(known.message.blocks, fresh.message.blocks);
    }
  }
  EXPECT_GT(jumps, 10);
}

}  // namespace
}  // namespace holdfast::inline v1::claude_code
