// Two-layer workflows through the table: each method reaches its rule and its answer
// matches its schema, on a store of the layout and on a native one.
#include "api/api_testing.h"

namespace holdfast::inline v1 {
namespace {

struct WorkflowApi : ApiTest, testing::WithParamInterface<const char*> {
  bool native() const { return std::string_view(GetParam()) == "holdfast"; }
  // The parameters with the store, and the project if the store has many.
  std::string with(std::string fields) const {
    const std::string where = native() ? R"("store":"holdfast:/n","project":"/srv/p")" : R"("store":"workflow:/w")";
    return "{" + where + (fields.empty() ? "" : ",") + fields + "}";
  }
  std::string field(const std::string& answer, std::string_view object, std::string_view key) {
    const JsonView value = JsonView(answer).find(object).find(key);
    return value.as_string().value_or(std::string(value.raw()));
  }
};

TEST_P(WorkflowApi, InitiativeFromCreationToArchive) {
  const std::string made =
      must_call("initiative.create", with(R"("name":"login","milestones":["M1","M2"],"learning":"Ask first")"));
  EXPECT_EQ(field(made, "initiative", "status"), "created");
  const std::string revision = *JsonView(made).find("revision").as_string();
  const std::string insist = R"(,"revision":")" + revision + "\"";
  must_call("initiative.start", with(R"("milestone":"M1")" + insist));
  EXPECT_EQ(code("initiative.task", with(R"("task":"x")" + insist)), Code::conflict);
  must_call("initiative.task", with(R"("task":"x","next_action":"review")"));
  EXPECT_EQ(field(must_call("initiative.get", with("")), "initiative", "next_action"), "review");
  EXPECT_EQ(field(must_call("initiative.milestone", with(R"("notes":"n")")), "initiative", "current_milestone"), "M2");
  must_call("initiative.update", with(R"("fields":{"owner":"me"})"));
  EXPECT_EQ(field(must_call("initiative.resume", with("")), "initiative", "owner"), "me");
  EXPECT_EQ(code("initiative.archive", with("")), Code::invalid_argument);
  must_call("initiative.status", with(R"("status":"completed")"));
  EXPECT_EQ(message("initiative.status", with(R"("status":"in_progress")")),
            "completed → in_progress is refused: must create new initiative");
  const std::string would = must_call("initiative.archive", with(R"("dry_run":true)"));
  EXPECT_NE(would.find("summary of the initiative login"), std::string::npos) << would;
  const std::string archived = must_call("initiative.archive", with(R"("outcome":"shipped")"));
  EXPECT_TRUE(JsonView(archived).find("line").is_string("Completed INITIATIVE for login: shipped"));
  const std::string view = must_call("initiative.context", with(""));
  EXPECT_TRUE(JsonView(view).find("text").is_string("No initiative.\nLearnings: 1\n")) << view;
}

TEST_P(WorkflowApi, RecordsPhasesInterviewsDelegationsAndMemory) {
  const std::string phase =
      must_call("workflow.phase", with(R"("completed":"plan","next":"implement","context":"form")"));
  EXPECT_TRUE(JsonView(phase).find("line").is_string("Active APEX workflow: plan approved, implementing form"));
  EXPECT_EQ(JsonView(must_call("workflow.state", with(""))).find("workflow").find("active").find("phase").as_string(),
            "implement");
  EXPECT_EQ(code("workflow.phase", with(R"("next":"plan","workflow":"DEBUG")")), Code::invalid_argument);
  must_call("interview.record", with(R"("skill":"x-plan","confidence":{"risk_awareness":60},"questions_asked":2)"));
  EXPECT_EQ(code("interview.record", with(R"("skill":"x","confidence":{"risk_awareness":"much"})")),
            Code::invalid_argument);
  EXPECT_EQ(field(must_call("interview.get", with(R"("skill":"x-plan")")), "interview", "baseline"), "51");
  EXPECT_EQ(JsonView(must_call("interview.clear", with(""))).find("cleared").as_bool(), true);
  must_call("delegation.record", with(R"("agent":"tester","task":"tests")"));
  EXPECT_NE(must_call("delegation.list", with("")).find(R"(["Delegated tests to tester"])"), std::string::npos);
  must_call("memory.learn", with(R"("text":"Ask first","heading":"Preferences")"));
  const std::string memory = must_call("memory.get", with(native() ? R"("id":"MEMORY")" : ""));
  EXPECT_NE(field(memory, "memory", "body").find("## Preferences\n\n- Ask first\n"), std::string::npos) << memory;
}

INSTANTIATE_TEST_SUITE_P(Workflow, WorkflowApi, testing::Values("workflow"));
INSTANTIATE_TEST_SUITE_P(Native, WorkflowApi, testing::Values("holdfast"));

}  // namespace
}  // namespace holdfast::inline v1
