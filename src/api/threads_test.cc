// Threads, their sessions and messages through the table, on a Maestro store and natively.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

struct ThreadApi : ApiTest, testing::WithParamInterface<const char*> {
  std::string store = std::string(GetParam()) == "maestro" ? "maestro:/m/sessions" : "holdfast:/home";

  // {"store": ..., FIELDS}
  std::string with(const std::string& fields) const {
    return R"({"store":")" + store + "\"" + (fields.empty() ? "" : ",") + fields + "}";
  }
  static std::string field(const std::string& answer, std::string_view key) {
    return JsonView(answer).find(key).as_string().value_or("");
  }
  static std::string thread_field(const std::string& answer, std::string_view key) {
    return JsonView(answer).find("thread").find(key).as_string().value_or("");
  }
};

TEST_P(ThreadApi, M17_SeedMethodNamesWork) {
  const std::string saved =
      must_call("save_thread",
                with(R"("thread":{"schemaVersion":1,"id":"thr_1","title":"Add logging","createdAt":"","updatedAt":"",)"
                     R"("projectPath":"/p","harness":"opencode","model":"gpt","stateSnapshot":{"state":"Ready"}})"));
  EXPECT_EQ(thread_field(saved, "id"), "thr_1");
  EXPECT_EQ(thread_field(saved, "projectPath"), "/p");
  const std::string made = must_call("create_session", with(R"("thread":"thr_1","agent":"opencode","config":{"a":1})"));
  const std::string session = field(made, "id");
  const std::string record =
      R"("message":{"schemaVersion":1,"id":"msg_1","threadId":"thr_1","sessionId":")" + session +
      R"(","role":"user","content":"hello","createdAt":"2026-01-21T10:04:00Z","toolCallId":null})";
  EXPECT_EQ(field(must_call("append_message", with(record)), "id"), "msg_1");
  const std::string messages = must_call("list_messages", with(R"("thread":"thr_1")"));
  EXPECT_NE(messages.find("hello"), std::string::npos) << messages;
  EXPECT_NE(messages.find("\"sessions\":[\"" + session + "\"]"), std::string::npos) << messages;
  EXPECT_EQ(
      must_call("list_messages", with(R"("session":")" + session + "\"")).find("\"total\":1") == std::string::npos,
      false);
  must_call("mark_session_ended", with(R"("id":")" + session + R"(","status":"completed")"));
  const std::string resumed = must_call("resume_thread", with(R"("id":"thr_1")"));
  EXPECT_EQ(JsonView(resumed).find("newSession").as_bool(), true);
  const std::string next = JsonView(resumed).find("session").find("id").as_string().value_or("");
  EXPECT_NE(next, session);
  const std::string listed = must_call("list_threads", with(""));
  EXPECT_NE(listed.find(R"("state":"ready")"), std::string::npos) << listed;
  EXPECT_EQ(thread_field(must_call("load_thread", with(R"("thread_id":"thr_1")")), "lastSessionId"), next);
  must_call("rebuild_index", with(""));
  EXPECT_EQ(code("delete_thread", with(R"("id":"thr_2")")), Code::not_found);
  must_call("delete_thread", with(R"("id":"thr_1")"));
  EXPECT_EQ(code("load_thread", with(R"("id":"thr_1")")), Code::not_found);
  EXPECT_NE(must_call("session.list", with("")).find("\"total\":0"), std::string::npos);
}

TEST_P(ThreadApi, M17_CreateReturnsTheProjectsExistingThread) {
  const std::string first = must_call("thread.create", with(R"("project":"/p","title":"t")"));
  EXPECT_EQ(JsonView(first).find("created").as_bool(), true);
  const std::string again = must_call("thread.create", with(R"("project":"/p")"));
  EXPECT_EQ(JsonView(again).find("created").as_bool(), false);
  EXPECT_EQ(thread_field(again, "id"), thread_field(first, "id"));
}

TEST_P(ThreadApi, M18_ToolRunIsListedAndFinishedOnce) {
  const std::string thread = thread_field(must_call("thread.create", with(R"("project":"/p")")), "id");
  const std::string session = field(must_call("thread.resume", with(R"("id":")" + thread + "\"")), "session");
  const std::string of = R"("session":")" + session + "\"";
  must_call("tool.start", with(of + R"(,"tool":"bash","run_id":"tool_1")"));
  must_call("tool.finish", with(of + R"(,"run_id":"tool_1","status":"Canceled")"));
  EXPECT_NE(must_call("tool.list", with(of)).find(R"({"run_id":"tool_1","tool":"bash","status":"Canceled"})"),
            std::string::npos);
  EXPECT_EQ(code("tool.finish", with(of + R"(,"run_id":"tool_1","status":"Failed")")), Code::already_exists);
}

TEST_P(ThreadApi, M11_LongLivedDoorHoldsResumedThread) {
  const std::string thread = thread_field(must_call("thread.create", with(R"("project":"/p")")), "id");
  Stores door(settings(true));
  const std::string params = with(R"("id":")" + thread + "\"");
  const auto first = dispatch(context, door, "thread.resume", params);
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(field(*first, "owner"), "this");
  const auto again = dispatch(context, door, "thread.resume", params);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(field(*again, "session"), field(*first, "session"));
  EXPECT_EQ(code("thread.resume", params), Code::busy);  // another owner
}

INSTANTIATE_TEST_SUITE_P(Maestro, ThreadApi, testing::Values("maestro"));
INSTANTIATE_TEST_SUITE_P(Native, ThreadApi, testing::Values("holdfast"));

struct ThreadDoor : ApiTest {};

TEST_F(ThreadDoor, M10_DiskFullFailsCallsButLongLivedDoorBuffers) {
  const std::string store = R"({"store":"maestro:/m/sessions")";
  must_call("save_thread", store + R"(,"thread":{"id":"thr_1"}})");
  must_call("create_session", store + R"(,"id":"ses_1","thread":"thr_1"})");
  const std::string message = store + R"(,"session":"ses_1","text":"x"})";
  Stores door(settings(true));
  ASSERT_TRUE(dispatch(context, door, "message.append", message));
  files.set_capacity(1, 1);
  EXPECT_EQ(code("message.append", message), Code::disk_full);
  const auto kept = dispatch(context, door, "message.append", message);
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(JsonView(*kept).find("durability").as_string(), "none");
  const auto shown = dispatch(context, door, "message.list", store + R"(,"session":"ses_1"})");
  EXPECT_NE(shown->find("\"total\":2"), std::string::npos) << *shown;
  files.set_capacity(1 << 30, 100000);
  ASSERT_TRUE(dispatch(context, door, "message.append", message));
  EXPECT_NE(must_call("message.list", store + R"(,"session":"ses_1"})").find("\"total\":3"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
