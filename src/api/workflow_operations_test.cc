// session.start, workflow.*, task.*, metrics.*, session.prune through the table, on both layouts.
#include <gtest/gtest.h>
#include <holdfast/client.h>

#include "api/api_testing.h"
#include "api/store_settings.h"

namespace holdfast::inline v1 {
namespace {

struct StepsApi : ApiTest, testing::WithParamInterface<const char*> {
  StepsApi() {
    (void)files.put_file("/p/docs/requirements/auth/notes.md", "x");
    if (lopen()) must_call("store.create", R"({"store":"lopen:/p"})");
    const std::string started = must_call("session.start", starting(R"("module":"auth")"));
    id = JsonView(started).find("id").as_string().value_or("");
  }
  // The same for session.start, which names the project if sessions are grouped by project.
  std::string starting(const std::string& params) const { return with(params + (lopen() ? "" : R"(,"project":"/p")")); }
  bool lopen() const { return std::string_view(GetParam()) == "lopen"; }
  // Parameters of a call on the store of this test.
  std::string with(const std::string& params) const {
    return "{" + params + R"(,"store":")" + (lopen() ? "lopen:/p" : "holdfast:/home") + "\"}";
  }
  std::string of_session(const std::string& params = "") const {
    return with(R"("session":")" + id + "\"" + (params.empty() ? "" : "," + params));
  }
  std::string step(const std::string& answer) {
    return JsonView(answer).find("workflow").find("step").as_string().value_or("");
  }
  std::string id;
};

TEST_P(StepsApi, L06_StepsAdvanceAndPausesAreSaved) {
  EXPECT_EQ(step(must_call("workflow.get", of_session())), "DraftSpecification");
  EXPECT_EQ(step(must_call("workflow.advance", of_session(R"("trigger":"SpecApproved","component":"api")"))),
            "DetermineDependencies");
  EXPECT_EQ(code("workflow.advance", of_session(R"("trigger":"Assess")")), Code::invalid_argument);
  const std::string paused = must_call("workflow.pause", of_session(R"("model":"opus","commit":"abc")"));
  EXPECT_NE(paused.find(R"("models_used":["opus"])"), std::string::npos) << paused;
  EXPECT_NE(paused.find(R"("last_commit":"abc")"), std::string::npos) << paused;
}

TEST_P(StepsApi, L09_CompletedTaskTicksItsPlanItem) {
  const std::string project = lopen() ? "" : R"("project":"/p",)";
  const std::string store = lopen() ? R"("store":"lopen:/p")" : R"("store":"holdfast:/home")";
  must_call("plan.put", "{" + project + R"("id":"auth","body":"- [ ] Add JWT\n",)" + store + "}");
  must_call("plan.put", "{" + project + R"("id":"auth","body":"- [ ] More\n","append":true,)" + store + "}");
  must_call("task.add", of_session(R"("id":"api","type":"component")"));
  must_call("task.add", of_session(R"("id":"jwt","name":"Add JWT","parent":"api")"));
  EXPECT_EQ(code("task.add", of_session(R"("id":"jwt","parent":"api")")), Code::already_exists);
  EXPECT_EQ(code("task.set", of_session(R"("task":"jwt","state":"complete")")), Code::invalid_argument);
  must_call("task.set", of_session(R"("task":"jwt","state":"in_progress")"));
  const std::string done = must_call("task.set", of_session(R"("task":"jwt","state":"complete","input_tokens":7)"));
  EXPECT_EQ(JsonView(done).find("ticked").as_int64(), 1);
  EXPECT_EQ(JsonView(done).find("metrics").find("cumulative_input_tokens").as_int64(), 7);
  const std::string plan = must_call("plan.get", "{" + project + R"("id":"auth",)" + store + "}");
  EXPECT_NE(plan.find(R"("title":"Add JWT","status":"done")"), std::string::npos) << plan;
  EXPECT_NE(plan.find(R"("title":"More","status":"pending")"), std::string::npos) << plan;
  const std::string tasks = must_call("task.list", of_session());
  EXPECT_EQ(JsonView(tasks).find("total").as_int64(), 2);
  EXPECT_NE(tasks.find(R"("path":["api","jwt"])"), std::string::npos) << tasks;
}

TEST_P(StepsApi, L03_CountsAreRecordedAndShown) {
  EXPECT_EQ(JsonView(must_call("metrics.get", of_session())).find("metrics").find("iteration_count").as_int64(), 0);
  must_call("metrics.record", of_session(R"("input_tokens":10,"output_tokens":3,"premium":true)"));
  const std::string two = must_call("metrics.record", of_session(R"("input_tokens":5)"));
  EXPECT_EQ(JsonView(two).find("metrics").find("cumulative_input_tokens").as_int64(), 15);
  EXPECT_EQ(JsonView(two).find("metrics").find("premium_request_count").as_int64(), 1);
  EXPECT_EQ(code("metrics.record", of_session()), Code::invalid_argument);
}

TEST_P(StepsApi, L19_SettingEnablesSnapshots) {
  must_call("metrics.record", of_session(R"("input_tokens":1,"settings":{"save_iteration_history":true})"));
  must_call("metrics.record", of_session(R"("input_tokens":1)"));
  std::size_t snapshots = 0;
  for (const std::string& path : files.paths()) snapshots += path.find("/history/") != std::string::npos ? 1 : 0;
  EXPECT_EQ(snapshots, 1u);
}

TEST_P(StepsApi, L15_CompletedSessionsArePruned) {
  const auto complete = [&](const std::string& session) {
    const std::string named = R"("session":")" + session + "\"";
    EXPECT_EQ(code("workflow.complete", with(named)), Code::invalid_argument) << "not from the first step";
    for (const std::string trigger : {"SpecApproved", "DependenciesDetermined", "ComponentsIdentified"})
      must_call("workflow.advance", with(named + R"(,"trigger":")" + trigger + "\""));
    must_call("workflow.complete", with(named));
  };
  complete(id);
  EXPECT_EQ(code("workflow.pause", of_session()), Code::invalid_argument);
  const std::string second = must_call("session.start", starting(R"("module":"auth","no_resume":true)"));
  const std::string other = JsonView(second).find("id").as_string().value_or("");
  complete(other);
  must_call("session.start", starting(R"("module":"auth","no_resume":true)"));
  const std::string would = must_call("session.prune", with(R"("keep":1,"dry_run":true)"));
  EXPECT_NE(would.find(id), std::string::npos) << would;
  EXPECT_NE(must_call("session.prune", with(R"("keep":1)")).find("\"pruned\":[\"" + id + "\"]"), std::string::npos);
  EXPECT_NE(must_call("session.prune", with(R"("keep":0)")).find("\"pruned\":[]"), std::string::npos);
}

TEST_P(StepsApi, L07_StartReportsWhetherItResumed) {
  const std::string list = must_call("session.resumable", with(R"("module":"auth")"));
  EXPECT_NE(list.find(id), std::string::npos) << list;
  const std::string again = must_call("session.start", starting(R"("module":"auth","resume":")" + id + "\""));
  EXPECT_EQ(JsonView(again).find("resumed").as_bool(), true);
  EXPECT_EQ(JsonView(again).find("id").as_string(), id);
  if (!lopen()) return;
  EXPECT_EQ(JsonView(must_call("session.start", starting(R"("module":"auth")"))).find("resumed").as_bool(), true);
  EXPECT_EQ(JsonView(must_call("session.start", starting(R"("module":"auth","settings":{"auto_resume":false})")))
                .find("resumed")
                .as_bool(),
            false);
  EXPECT_EQ(message("session.start", with(R"("resume":"auth-20260101-9")")), "Session not found: auth-20260101-9");
  EXPECT_EQ(message("session.start", with(R"("resume":"x y")")), "Invalid session ID format: 'x y'.");
  EXPECT_NE(must_call("session.resume", with(R"("id":")" + id + "\"")).find("\"workflow\""), std::string::npos);
  EXPECT_NE(must_call("session.resume", R"({"store":"lopen:/p"})").find(id), std::string::npos);
}

// The library returns only the error, so it must say what was moved aside.
TEST(LopenClient, L12_ErrorNamesWhatWasMovedAside) {
  SimFileSystem files;
  (void)files.put_file("/p/.lopen/sessions/auth-20260214-1/state.json", "{");
  ClientOptions options;
  options.home = "lopen:/p";
  options.files = &files;
  const auto client = Client::open(options);
  ASSERT_TRUE(client) << client.error().text();
  const auto refused = (*client)->call({}, "workflow.pause", R"({"session":"auth-20260214-1"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::not_found);
  EXPECT_TRUE(refused.error().message.contains("; moved to .lopen/corrupted/auth-20260214-1."))
      << refused.error().message;
}

INSTANTIATE_TEST_SUITE_P(Lopen, StepsApi, testing::Values("lopen"));
INSTANTIATE_TEST_SUITE_P(Native, StepsApi, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
