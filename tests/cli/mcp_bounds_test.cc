// What `holdfast mcp` leaves out of an answer it counts, and it refuses to answer with any number of rows.
#include <algorithm>

#include "tests/cli/mcp_testing.h"

namespace holdfast::inline v1 {
namespace {

struct McpBounds : Mcp {
  static constexpr std::size_t kSize = 300003;

  void SetUp() override {
    Mcp::SetUp();
    put_file("message", R"({"session":"ses-login","message":{"role":"tool","blocks":[{"type":"tool_result",)"
                        R"("id":"c","output":")" +
                            std::string(kSize, 'X') + R"("},{"type":"tool_result","id":"d","output":"end"}]}})");
    ASSERT_EQ(sh("$H call message.append @$HOME/message"), 0) << err;
  }
  std::string only_text(int id) {
    for (const JsonItem& item : data(id).find("messages").elements())
      return item.value.find("text").as_string().value_or("");
    for (const JsonItem& item : result(id).find("contents").elements())
      return item.value.find("text").as_string().value_or("");
    return {};
  }
};

TEST_F(McpBounds, CountWhatIsMissingOfAMessage) {
  std::vector<std::string> requests{greeting()};
  for (const int most : {200, 300, 1000, 4000, 50000})
    requests.push_back(tool("get_messages", R"({"session":"ses-login","from":2,"limit":1,"whole":true,"max_tokens":)" +
                                                std::to_string(most) + "}"));
  requests.push_back(tool("get_messages", R"({"session":"ses-login","from":2,"limit":1,"max_tokens":200})"));
  requests.emplace_back(R"("method":"resources/read","params":{"uri":"session://holdfast/ses-login#2"})");
  ask(requests);
  const std::string after = "\n[tool result] end";
  for (int id = 1; id < static_cast<int>(requests.size()); ++id) {
    const std::string text = only_text(id);
    const auto shown = static_cast<std::size_t>(std::ranges::count(text, 'X'));
    ASSERT_GT(shown, 0U) << text;
    EXPECT_TRUE(text.contains("X … (" + std::to_string(kSize - shown + after.size()) + " more bytes)"))
        << id << " " << shown << text.substr(text.rfind('X'));
    EXPECT_LT(shown, kSize);
  }
  // An abridged part in the middle has its own count.
  ask({greeting(), tool("get_messages", R"({"session":"ses-login","from":2})")});
  EXPECT_TRUE(only_text(1).contains("X … (299603 more bytes)" + after)) << answers[1];
}

TEST_F(McpBounds, SayHowToReadTheRest) {
  ask({greeting(), tool("get_messages", R"({"session":"ses-l","from":2,"whole":true})"),
       R"("method":"resources/read","params":{"uri":"session://holdfast/ses-login#2"})",
       tool("get_messages", R"({"session":"ses-l","limit":1})")});
  std::string rest;
  for (const JsonItem& item : data(1).find("messages").elements())
    rest = item.value.find("rest").as_string().value_or("");
  ASSERT_TRUE(rest.starts_with("holdfast message list holdfast/ses-login --at 2 ")) << answers[1];
  EXPECT_TRUE(only_text(2).contains("The whole message: " + rest)) << only_text(2).substr(65000);
  EXPECT_FALSE(answers[3].contains("\"rest\"")) << "nothing is missing: " << answers[3];
  ASSERT_EQ(sh("$H" + rest.substr(rest.find(' '))), 0) << err;
  EXPECT_TRUE(out.contains(std::string(kSize, 'X'))) << out.size();
}

TEST_F(McpBounds, RefuseTooManyRows) {
  ask({greeting(), R"("method":"tools/list")", tool("list_sessions", R"({"limit":200})"),
       tool("list_sessions", R"({"limit":201})"), tool("search_sessions", R"({"query":"x","limit":100000})"),
       tool("search_content", R"({"query":"x","limit":201})")});
  EXPECT_EQ(result(2).find("isError").as_bool(), false) << answers[2];
  for (const int id : {3, 4, 5}) {
    EXPECT_EQ(result(id).find("isError").as_bool(), true) << answers[id];
    EXPECT_TRUE(answers[id].contains("limit must be at most 200")) << answers[id];
  }
  int declared = 0;
  for (const JsonItem& one : result(1).find("tools").elements()) {
    const JsonView limit = one.value.find("inputSchema").find("properties").find("limit");
    declared += limit.find("maximum").as_int64() == 200 ? 1 : 0;
  }
  EXPECT_EQ(declared, 3) << answers[1];
}

TEST_F(McpBounds, RefuseCursorTogetherWithFrom) {
  ask({greeting(), tool("get_messages", R"({"session":"ses-login","limit":1})")});
  const std::string cursor = data(1).find("next_cursor").as_string().value_or("");
  ASSERT_FALSE(cursor.empty()) << answers[1];
  ask({greeting(), tool("get_messages", R"({"session":"ses-login","from":0,"cursor":")" + cursor + "\"}")});
  EXPECT_EQ(result(1).find("isError").as_bool(), true) << answers[1];
  EXPECT_TRUE(answers[1].contains("from or cursor, not both")) << answers[1];
}

}  // namespace
}  // namespace holdfast::inline v1
