// The tools of `holdfast mcp` say what they could not read: otherwise an agent takes it for what does not exist.
#include <utility>

#include "tests/cli/mcp_testing.h"
#include "tests/cli/ordinary_user_testing.h"
#include "tests/cli/sessions_testing.h"

namespace holdfast::inline v1 {
namespace {

struct McpWarnings : Mcp {
  // A session with this many lines that are no records.
  std::string damaged(int places) {
    ClaudeLog log(home, "22222222-0000-4000-8000-000000000002");
    log.prompt("the first honey");
    for (int n = 0; n < places; ++n) std::ofstream(log.path, std::ios::app) << "no record " << n << "\n";
    log.prompt("the second honey");
    return log.path;
  }
  std::vector<std::string> warnings(int id) {
    std::vector<std::string> all;
    for (const JsonItem& item : data(id).find("warnings").elements())
      all.push_back(item.value.as_string().value_or(""));
    return all;
  }
  // The texts of the answer after the first, which is the data.
  std::string lines(int id) {
    std::string all;
    bool first = true;
    for (const JsonItem& item : result(id).find("content").elements()) {
      if (!std::exchange(first, false)) all += item.value.find("text").as_string().value_or("");
    }
    return all;
  }
};

const std::vector<std::string> kCalls{Mcp::greeting(),
                                      Mcp::tool("get_session", R"({"session":"22222222"})"),
                                      Mcp::tool("get_messages", R"({"session":"22222222"})"),
                                      Mcp::tool("get_handoff", R"({"session":"22222222"})"),
                                      Mcp::tool("search_content", R"({"query":"honey"})"),
                                      Mcp::tool("search_sessions", R"({"query":"honey"})"),
                                      Mcp::tool("list_sessions", "{}"),
                                      Mcp::tool("get_usage", "{}")};

TEST_F(McpWarnings, EveryToolTellsOfDamage) {
  damaged(1);
  ask(kCalls);
  for (int id = 1; id < static_cast<int>(kCalls.size()); ++id) {
    ASSERT_EQ(warnings(id).size(), id == 7 ? 2U : 1U) << "usage also lacks a price: " << answers[id];
    EXPECT_TRUE(warnings(id)[0].contains("not a JSON object") && warnings(id)[0].contains("22222222-")) << answers[id];
    EXPECT_EQ(lines(id), "warning: " + warnings(id)[0] + (id == 7 ? "; and 1 more" : "")) << answers[id];
  }
  ask({greeting(), R"("method":"resources/read","params":{"uri":"session://claude-code/22222222"})",
       tool("get_session", R"({"session":"ses-login"})")});
  EXPECT_TRUE(answers[1].contains("warning: a line that is not a JSON object")) << answers[1];
  EXPECT_FALSE(answers[2].contains("warning")) << "of another session: " << answers[2];
}

TEST_F(McpWarnings, AreBounded) {
  damaged(9);
  ask({greeting(), tool("get_messages", R"({"session":"22222222"})"),
       tool("get_messages", R"({"session":"22222222","max_tokens":200.0})"),
       tool("get_handoff", R"({"session":"22222222","max_tokens":200})"),
       tool("get_usage", R"({"by":"session","max_tokens":200})")});
  ASSERT_EQ(warnings(1).size(), 6U) << answers[1];
  EXPECT_EQ(warnings(1).back(), "and 4 more");
  EXPECT_TRUE(lines(1).ends_with("; and 8 more")) << lines(1);
  for (const int id : {2, 3, 4}) {
    ASSERT_GE(warnings(id).size(), 2U) << answers[id];
    EXPECT_TRUE(warnings(id).back().ends_with(" more")) << answers[id];
    EXPECT_LE(data(id).raw().size() + lines(id).size(), std::size_t{800}) << answers[id];
  }
}

// An agent's own session is being written: what it lacks yet is no news.
TEST_F(McpWarnings, OmitTheCallersOwnSession) {
  damaged(1);
  ask({greeting(), tool("list_sessions", "{}"), tool("search_content", R"({"query":"login"})")},
      "--exclude-session 22222222-0000-4000-8000-000000000002");
  for (const int id : {1, 2}) EXPECT_FALSE(answers[id].contains("22222222")) << answers[id];
  ask({greeting(), tool("list_sessions", R"({"exclude_session":"22222222"})")});
  EXPECT_FALSE(answers[1].contains("22222222")) << answers[1];
}

TEST_F(McpWarnings, NameSessionThatCannotBeRead) {
  const std::string path = damaged(0);
  binary = ordinary_holdfast();
  ASSERT_EQ(sh(give_home() + " && chmod 000 " + path), 0) << err;
  const std::vector<std::string> requests{greeting(), tool("list_sessions", "{}"),
                                          tool("search_sessions", R"({"query":"honey"})"),
                                          tool("search_content", R"({"query":"honey"})"), tool("list_sessions", "{}")};
  ask(requests);
  for (const int id : {1, 2, 3, 4}) {
    ASSERT_EQ(warnings(id).size(), 1U) << answers[id];
    EXPECT_TRUE(warnings(id)[0].contains("Permission denied") && warnings(id)[0].contains("22222222")) << answers[id];
    EXPECT_TRUE(lines(id).contains("Permission denied")) << answers[id];
  }
}

}  // namespace
}  // namespace holdfast::inline v1
