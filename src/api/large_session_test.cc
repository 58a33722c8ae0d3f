#include "api/large_session.h"

#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kLog =
    R"({"type":"user","message":{"role":"user","content":"first"},"uuid":"a","parentUuid":null,"cwd":"/p"})"
    "\n"
    R"({"type":"user","message":{"role":"user","content":"second"},"uuid":"b","parentUuid":"a","cwd":"/p"})"
    "\n";

// What the text leaves out, and makes the log a large one.
std::string padding() {
  const std::string record = R"({"parentUuid":"b","isSidechain":false,"attachment":{"type":"date","date":")" +
                             std::string(std::size_t{1} << 20, '1') + R"("},"type":"attachment","uuid":"c)";
  std::string all;
  for (int i = 0; all.size() < kLargeSession; ++i) all += record + std::to_string(i) + "\"}\n";
  return all;
}

struct ShowStream : ApiTest {
  ShowStream() { EXPECT_TRUE(files.put_file("/c/projects/-p/0abc-1.jsonl", std::string(kLog) + padding())); }

  struct Told {
    std::vector<std::string> items;
    std::string answer;

    std::string text() const {
      std::string all;
      for (const std::string& item : items) all += JsonView(item).find("text").as_string().value_or("(none)");
      return all;
    }
  };
  Result<Told> tell(const std::string& more) {
    Told told;
    HOLDFAST_LET(answer,
                 dispatch(context, stores, "session.show", R"({"store":"claude-code:/c","stream":true,)" + more + "}",
                          [&](std::string_view item) {
                            told.items.emplace_back(item);
                            return true;
                          }));
    told.answer = std::move(answer);
    return told;
  }
  std::string said(const std::string& more) {
    const auto told = tell(more);
    EXPECT_TRUE(told) << told.error().text();
    EXPECT_FALSE(JsonView(told->answer).find("text")) << "it was told";
    return told->text();
  }
};

TEST_F(ShowStream, StreamsLargeSessionWithTotalsLast) {
  const std::string text = said(R"("id":"0abc","format":"text")");
  EXPECT_EQ(text,
            "first\nclaude-code · /p\n0abc-1\n\n> you  [0]\n    first\n\n> you  [1]\n    second\n"
            "\ninterrupted · 2 prompts, 0 answers · 0 tokens out\n");
  EXPECT_GT(tell(R"("id":"0abc","format":"text")")->items.size(), 1U);
  EXPECT_EQ(said(R"("format":"text")"), text) << "the latest";
  EXPECT_EQ(said(R"("id":"@last","format":"text")"), text);
  EXPECT_EQ(said(R"("id":"claude-code/0abc-1","format":"text")"), text);
  EXPECT_EQ(said(R"("id":"0abc","format":"text","branch":"a")").find("second"), std::string::npos);
}

TEST_F(ShowStream, StreamsOtherFormatsAndReportsErrors) {
  EXPECT_NE(said(R"("id":"0abc","format":"md")").find("second"), std::string::npos);
  EXPECT_NE(said(R"("id":"0abc","format":"text","raw":true)").find(R"("uuid":"b")"), std::string::npos);
  EXPECT_EQ(tell(R"("id":"nobody","format":"text")").error().code, Code::not_found);
  EXPECT_EQ(tell(R"("id":"0abc","format":"text","at":9999)").error().code, Code::not_found);
  EXPECT_NE(said(R"("id":"0abc","format":"text","at":1)").find("second"), std::string::npos);
  const auto messages = tell(R"("id":"0abc","branch":"a")");
  ASSERT_TRUE(messages);
  ASSERT_EQ(messages->items.size(), 1U);
  EXPECT_TRUE(JsonView(messages->items[0]).find("message").find("ordinal"));
  EXPECT_FALSE(JsonView(messages->answer).find("messages"));
  EXPECT_TRUE(JsonView(messages->answer).find("session").find("id").is_string("0abc-1"));
  EXPECT_TRUE(files.put_file("/c/projects/-q/0abc-2.jsonl", kLog));
  EXPECT_FALSE(tell(R"("id":"0abc","format":"text")")) << "ambiguous";
}

TEST_F(ShowStream, StreamWithoutListenerIsRefused) {
  EXPECT_EQ(code("session.show", R"({"store":"claude-code:/c","stream":true})"), Code::unsupported);
}

TEST_F(ShowStream, MissingMessageErrorSaysWhatExists) {
  ASSERT_TRUE(files.put_file("/c/projects/-p/0abc-1.jsonl", kLog));
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
TEST_F(ShowStream, MarkdownOnlyNamesInjectedRecords) {
  constexpr std::string_view kRecord =
      R"({"parentUuid":"b","isSidechain":false,"attachment":{"type":"date","date":"2026-11-15"},"type":"attachment","uuid":"c"})";
  ASSERT_TRUE(files.put_file("/c/projects/-p/0abc-1.jsonl", std::string(kLog) + std::string(kRecord) + "\n"));
  const std::string answer = must_call("session.export", R"({"store":"claude-code:/c","id":"0abc","format":"md"})");
  const std::string text = JsonView(answer).find("text").as_string().value_or("");
  EXPECT_TRUE(text.ends_with("\n> second\n\n## system\n\n*attachment: date*, 118 bytes\n")) << text;
}

}  // namespace
}  // namespace holdfast::inline v1
