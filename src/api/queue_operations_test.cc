// queue.* through the table; src/rules/queue tests the rules.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

struct QueueApi : ApiTest {
  Stores synced{with_sync()};

  StoreSettings with_sync() {
    StoreSettings all = settings(false);
    all.sync = true;
    all.sync_directory = "/share";
    return all;
  }
  std::string must_sync(std::string_view method, std::string_view params = "{}") {
    auto answer = dispatch(context, synced, method, params);
    EXPECT_TRUE(answer) << method << ": " << answer.error().text();
    if (!answer) return "{}";
    const bool only_looked = static_cast<bool>(JsonView(*answer).find("dry_run"));
    EXPECT_EQ(only_looked ? "" : schema.fault(find_operation(method)->method, JsonView(*answer)), "") << *answer;
    return *answer;
  }
  std::string field(const std::string& answer, std::string_view key) {
    const JsonView value = JsonView(answer).find(key);
    return value.as_string().value_or(std::string(value.raw()));
  }
  std::string first_item() {
    const std::string list = must_sync("queue.list");
    return JsonView(list).find("items").elements().begin()->value.find("id").as_string().value_or("");
  }
  SchemaCheck schema;
};

TEST_F(QueueApi, ListsSendsAndReceives) {
  must_sync("session.create", R"({"title":"one","metadata":{"privacy":{"localOnly":false}}})");
  must_sync("message.append", R"({"session":"@last","text":"hello"})");
  EXPECT_EQ(field(must_sync("queue.status"), "due"), "3");
  EXPECT_EQ(field(must_sync("queue.list", R"({"entity":"message"})"), "total"), "2");
  const std::string refused = must_sync("queue.run", R"({"limit":1})");
  EXPECT_EQ(field(refused, "sent"), "0");
  EXPECT_NE(field(refused, "reason").find("queue init"), std::string::npos) << refused;
  EXPECT_EQ(field(must_sync("queue.init"), "created"), "true");
  EXPECT_EQ(field(must_sync("queue.init"), "created"), "false");
  EXPECT_EQ(field(must_sync("queue.retry", R"({"id":")" + first_item() + "\"}"), "retried"), "1");
  EXPECT_EQ(field(must_sync("queue.run"), "sent"), "3");
  EXPECT_EQ(field(must_sync("queue.status"), "depth"), "0");
  const std::string got = must_sync("queue.receive", R"({"store":"holdfast:/other"})");
  EXPECT_EQ(field(got, "parcels"), "3");
  EXPECT_EQ(field(got, "changes"), "3");
  EXPECT_EQ(field(must_sync("queue.receive", R"({"store":"holdfast:/other"})"), "changes"), "0");
  EXPECT_EQ(field(must_sync("message.list", R"({"store":"holdfast:/other","session":"@last"})"), "total"), "1");
}

TEST_F(QueueApi, RetriesAndRemoves) {
  must_sync("session.create", R"({"metadata":{"privacy":{"localOnly":false}}})");
  const std::string id = first_item();
  EXPECT_EQ(field(must_sync("queue.retry"), "retried"), "0");
  EXPECT_EQ(field(must_sync("queue.retry", R"({"id":")" + id + "\"}"), "retried"), "1");
  const std::string would = must_sync("queue.remove", R"({"dry_run":true,"id":")" + id + "\"}");
  EXPECT_NE(would.find("it will not be sent"), std::string::npos) << would;
  EXPECT_EQ(field(must_sync("queue.status"), "depth"), "1");
  must_sync("queue.remove", R"({"id":")" + id + "\"}");
  EXPECT_EQ(field(must_sync("queue.status"), "depth"), "0");
  EXPECT_EQ(dispatch(context, synced, "queue.remove", R"({"id":"sq_none"})").error().code, Code::not_found);
}

TEST_F(QueueApi, RunIsRefusedUnlessSyncIsEnabled) {
  must_call("session.create", R"({"metadata":{"privacy":{"localOnly":false}}})");
  EXPECT_EQ(field(must_call("queue.status"), "enabled"), "false");
  EXPECT_EQ(code("queue.run"), Code::invalid_argument);
  EXPECT_EQ(code("queue.run", R"({"directory":"/share"})"), Code::invalid_argument);
  EXPECT_NE(message("queue.run", R"({"directory":"/share"})").find("sync_enabled"), std::string::npos);
  EXPECT_EQ(code("queue.receive", R"({"directory":"/none"})"), Code::not_found);
  EXPECT_EQ(code("queue.list", R"({"store":"linggen:/lg"})"), Code::not_found);
}

}  // namespace
}  // namespace holdfast::inline v1
