// The tokens and the cost of an API response are on the first of its messages, whatever page shows that one.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

struct CountedPages : ApiTest {
  void append(const std::string& session, const std::string& message) {
    must_call("message.append", R"({"session":")" + session + R"(","message":)" + message + "}");
  }
  // The one message of that page.
  std::string message(const std::string& session, int number) {
    const std::string page = must_call(
        "message.list", R"({"session":")" + session + R"(","limit":1,"skip":)" + std::to_string(number) + "}");
    const auto messages = JsonView(page).find("messages").elements();
    return std::string(messages.begin()->value.raw());
  }
};

// The cost comes from a page that is read after the one that shows it, and must not be lost with it. Small logs are
// read whole, large ones by record, very long texts from a blob; a short cost is inside its string.
TEST_F(CountedPages, CostFromTheNextPageStays) {
  for (const std::size_t size : {1U, 20'000U, 300'000U}) {
    for (const std::string cost : {"0.25", "0.250000000000000000000000000000000000000000000001"}) {
      const std::string id = "ses_" + std::to_string(size) + "_" + std::to_string(cost.size());
      SCOPED_TRACE(id);
      must_call("session.create", R"({"id":")" + id + "\"}");
      const std::string text = R"(,"text":")" + std::string(size, 'x') + "\"}";
      append(id, R"({"role":"assistant","response":"r","usage":{"input":3,"output":5})" + text);
      append(id, R"({"role":"assistant","response":"r","usage":{"input":3,"output":7},"cost_usd":)" + cost + text);
      append(id, R"({"role":"user","text":"thanks"})");
      const std::string first = message(id, 0), second = message(id, 1);
      EXPECT_EQ(JsonView(first).find("cost_usd").raw(), cost);
      EXPECT_EQ(JsonView(first).find("usage").find("output").raw(), "7");
      EXPECT_FALSE(JsonView(second).find("cost_usd"));
      EXPECT_TRUE(JsonView(second).find("usage").is_null());
    }
  }
}

}  // namespace
}  // namespace holdfast::inline v1
