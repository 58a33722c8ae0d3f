#include "api/show_stream.h"

#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kLog =
    R"({"type":"user","message":{"role":"user","content":"first"},"uuid":"a","parentUuid":null,"cwd":"/p"})"
    "\n"
    R"({"type":"user","message":{"role":"user","content":"second"},"uuid":"b","parentUuid":"a","cwd":"/p"})"
    "\n";

struct ShowStream : ApiTest {
  ShowStream() { EXPECT_TRUE(files.put_file("/c/projects/-p/0abc-1.jsonl", kLog)); }

  // What was said; nullopt: nothing.
  std::optional<std::string> said(const std::string& more, std::uint64_t large = 1) {
    std::string text;
    const auto told = show_streamed(
        context, stores, R"({"store":"claude-code:/c",)" + more + "}",
        [&](std::string_view piece) {
          text += piece;
          return true;
        },
        large);
    EXPECT_TRUE(told) << told.error().text();
    EXPECT_TRUE(*told || text.empty());
    return *told ? std::optional(text) : std::nullopt;
  }
};

TEST_F(ShowStream, SaysALargeSessionInPiecesWithItsTotalsLast) {
  const auto text = said(R"("id":"0abc","format":"text")");
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "first\nclaude-code · /p\n0abc-1\n\n> you  [0]\n    first\n\n> you  [1]\n    second\n"
            "\ninterrupted · 2 prompts, 0 answers · 0 tokens out\n");
  EXPECT_EQ(said(R"("format":"text")"), text) << "the latest";
  EXPECT_EQ(said(R"("id":"@last","format":"text")"), text);
  EXPECT_EQ(said(R"("id":"claude-code/0abc-1","format":"text")"), text);
  const auto left = said(R"("id":"0abc","format":"text","branch":"a")");
  ASSERT_TRUE(left);
  EXPECT_EQ(left->find("second"), std::string::npos);
}

TEST_F(ShowStream, LeavesEverythingElseToTheOperation) {
  EXPECT_FALSE(said(R"("id":"0abc","format":"text")", kLog.size() + 1)) << "it is small";
  EXPECT_FALSE(said(R"("id":"0abc","format":"md")"));
  EXPECT_FALSE(said(R"("id":"0abc")"));
  EXPECT_FALSE(said(R"("id":"0abc","format":"text","raw":true)"));
  EXPECT_FALSE(said(R"("id":"nobody","format":"text")")) << "its error says more";
  EXPECT_FALSE(said(R"("id":"0abc","format":"text","at":2)")) << "its error says how many there are";
  EXPECT_FALSE(said(R"("id":"0abc","format":"text","branch":"a","at":1)"));
  EXPECT_TRUE(said(R"("id":"0abc","format":"text","at":1)"));
  EXPECT_TRUE(files.put_file("/c/projects/-q/0abc-2.jsonl", kLog));
  EXPECT_FALSE(said(R"("id":"0abc","format":"text")")) << "ambiguous";
}

TEST_F(ShowStream, AMessageThatIsNotThereIsAnErrorThatSaysWhatIs) {
  const auto at = [](const std::string& more) {
    return R"({"store":"claude-code:/c","id":"0abc","format":"text",)" + more + "}";
  };
  EXPECT_NE(must_call("session.show", at(R"("at":1)")).find("second"), std::string::npos);
  EXPECT_EQ(code("session.show", at(R"("at":2)")), Code::not_found);
  EXPECT_EQ(message("session.show", at(R"("at":2)")), "there is no message 2: 0abc-1 has 2 messages, 0 to 1");
  EXPECT_EQ(message("session.show", at(R"("at":1,"branch":"a")")),
            "message 1 of 0abc-1 is on another branch; branch all shows it");
  EXPECT_EQ(code("session.show", at(R"("at":-1)")), Code::invalid_argument);
}

// What Claude Code puts between the messages is as large as its system prompt.
TEST_F(ShowStream, MarkdownNamesInjectedRecordsOnly) {
  constexpr std::string_view kRecord =
      R"({"parentUuid":"b","isSidechain":false,"attachment":{"type":"date","date":"2026-11-15"},"type":"attachment","uuid":"c"})";
  ASSERT_TRUE(files.put_file("/c/projects/-p/0abc-1.jsonl", std::string(kLog) + std::string(kRecord) + "\n"));
  const std::string answer = must_call("session.export", R"({"store":"claude-code:/c","id":"0abc","format":"md"})");
  const std::string text = JsonView(answer).find("text").as_string().value_or("");
  EXPECT_TRUE(text.ends_with("\n> second\n\n## system\n\n*attachment: date*, 118 bytes\n")) << text;
}

}  // namespace
}  // namespace holdfast::inline v1
