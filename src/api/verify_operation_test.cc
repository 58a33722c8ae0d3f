// store.verify through the table, as every door calls it.
#include "api/api_testing.h"
#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {
namespace {

struct VerifyOperation : ApiTest {
  std::string id = std::string(JsonView(must_call("session.create")).find("id").as_string().value_or(""));

  std::string log() {
    for (const SimEntry& entry : files.tree()) {
      if (entry.path.ends_with("messages.jsonl") && entry.path.contains(id) && !entry.path.contains("/.holdfast/"))
        return entry.path;
    }
    ADD_FAILURE() << "the session has no log";
    return {};
  }
  void say(const std::string& text) {
    must_call("message.append", R"({"session":")" + id + R"(","text":")" + text + "\"}");
  }
  static std::string raw(const std::string& answer, std::string_view key) {
    return std::string(JsonView(answer).find(key).raw());
  }
};

TEST_F(VerifyOperation, ReportsRecordsReadAndDamage) {
  say("one");
  say("two");
  std::string answer = must_call("store.verify");
  EXPECT_EQ(raw(answer, "schema_version"), "1");
  EXPECT_EQ(raw(answer, "damage"), "[]") << answer;
  EXPECT_EQ(raw(answer, "total"), "0");
  EXPECT_EQ(raw(answer, "sessions"), "1");
  EXPECT_GE(JsonView(answer).find("records").as_int64().value_or(0), 2);
  const std::string whole = *files.read_file(log());
  must(files.put_file(log(), whole + "{\"torn\n{\"torn again\n"));
  answer = must_call("store.verify", R"({"id":")" + id + "\"}");
  EXPECT_EQ(raw(answer, "total"), "2") << answer;
  const JsonView first = (*JsonView(answer).find("damage").elements().begin()).value;
  EXPECT_TRUE(first.find("kind").is_string("torn"));
  EXPECT_EQ(first.find("offset").as_int64(), static_cast<std::int64_t>(whole.size()));
  EXPECT_TRUE(first.find("session").is_string(id));
  EXPECT_TRUE(first.find("consequence").is_string("a record that ends in the middle; left out"));
  const std::string page = must_call("store.verify", R"({"limit":1})");
  EXPECT_EQ(raw(page, "total"), "2");
  EXPECT_EQ(raw(page, "next"), "1");
  EXPECT_EQ(raw(must_call("store.verify", R"({"limit":1,"skip":1})"), "next"), "null");
}

TEST_F(VerifyOperation, MissingSessionOrStoreIsNotFound) {
  EXPECT_EQ(code("store.verify", R"({"id":"nobody"})"), Code::not_found);
  EXPECT_EQ(code("store.verify", R"({"store":"codex:/nowhere"})"), Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
