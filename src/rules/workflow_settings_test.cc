#include "rules/workflow/workflow_settings.h"

#include "rules/rules_testing.h"
#include "rules/runs/config.h"

namespace holdfast::inline v1 {
namespace {

struct LopenSettings : testing::Test {
  LayoutStore files{"lopen"};
  OuterSettings outer;
  Result<WorkflowSettings> read() { return workflow_settings(files.context, *files.store, outer); }
  void project(std::string_view json) { must(files.disk.put_file("/store/.lopen/config.json", json)); }
};

TEST_F(LopenSettings, L20_DefaultsMatchLopen) {
  const WorkflowSettings settings = must(read());
  EXPECT_TRUE(settings.flag("auto_resume"));
  EXPECT_EQ(settings.integer("session_retention"), 10);
  EXPECT_FALSE(settings.flag("save_iteration_history"));
  EXPECT_EQ(settings.integer("max_iterations"), 100);
  EXPECT_EQ(settings.number("budget.warning_threshold"), 0.8);
  EXPECT_EQ(settings.text("oracle.model"), "gpt-5-mini");
  EXPECT_EQ(settings.text("format"), "md");
  EXPECT_EQ(settings.all().size(), setting_rows().size());
}

TEST_F(LopenSettings, L20_SnakeCaseAndNestedKeysAreRead) {
  project(R"({"auto_resume":false,"Session":{"SessionRetention":5},"budget":{"warning_threshold":0.5},)"
          R"("Budget":{"ConfirmationThreshold":0.6},"git":{"auto_commit":"False"},"unknown":{"x":1},"format":"yaml"})");
  const WorkflowSettings settings = must(read());
  EXPECT_FALSE(settings.flag("auto_resume"));
  EXPECT_EQ(settings.integer("session_retention"), 5);
  EXPECT_EQ(settings.number("budget.warning_threshold"), 0.5);
  EXPECT_EQ(settings.number("budget.confirmation_threshold"), 0.6);
  EXPECT_FALSE(settings.flag("git.auto_commit"));
  EXPECT_EQ(settings.text("format"), "yaml");
}

TEST_F(LopenSettings, L20_NestedKeyOverridesFlatKey) {
  project(R"({"Session":{"SessionRetention":5},"session_retention":7})");
  EXPECT_EQ(must(read()).integer("session_retention"), 5);
}

TEST_F(LopenSettings, L20_PrecedenceIsFlagsVariablesProjectUser) {
  outer.user_file = "/home/u/.config/lopen/config.json";
  must(files.disk.put_file(outer.user_file, R"({"session_retention":1,"max_iterations":11,"failure_threshold":21})"));
  EXPECT_EQ(must(read()).integer("session_retention"), 1);
  project(R"({"session_retention":2,"max_iterations":12})");
  EXPECT_EQ(must(read()).integer("session_retention"), 2);
  outer.variables = {{"LOPEN_Session__SessionRetention", "3"}, {"LOPEN_AUTO_RESUME", "FALSE"}, {"LOPEN_HOME", "/x"}};
  EXPECT_EQ(must(read()).integer("session_retention"), 3);
  EXPECT_FALSE(must(read()).flag("auto_resume"));
  outer.flags = R"({"session_retention":4})";
  const WorkflowSettings settings = must(read());
  EXPECT_EQ(settings.integer("session_retention"), 4);
  EXPECT_EQ(settings.integer("max_iterations"), 12);
  EXPECT_EQ(settings.integer("failure_threshold"), 21);
  EXPECT_EQ(settings.all().find("session_retention")->second.source, "flag");
  EXPECT_EQ(settings.all().find("auto_resume")->second.source, "LOPEN_AUTO_RESUME");
  EXPECT_EQ(settings.all().find("failure_threshold")->second.source, outer.user_file);
}

TEST_F(LopenSettings, L20_NestedVariablesReachEverySection) {
  outer.variables = {{"LOPEN_Budget__WarningThreshold", "0.25"},
                     {"LOPEN_TOOL_DISCIPLINE__MAX_FILE_READS", "9"},
                     {"LOPEN_Models__Planning", "x-1"}};
  const WorkflowSettings settings = must(read());
  EXPECT_EQ(settings.number("budget.warning_threshold"), 0.25);
  EXPECT_EQ(settings.integer("tool_discipline.max_file_reads"), 9);
  EXPECT_EQ(settings.text("models.planning"), "x-1");
}

TEST_F(LopenSettings, L20_InvalidValuesAreRefusedWithReason) {
  const auto message = [&](std::string_view json) {
    project(json);
    const auto answer = read();
    EXPECT_FALSE(answer) << json;
    return answer ? std::string() : answer.error().text();
  };
  EXPECT_NE(message(R"({"session_retention":-1})").find("session_retention"), std::string::npos);
  EXPECT_NE(message(R"({"max_iterations":0})").find("max_iterations"), std::string::npos);
  EXPECT_NE(message(R"({"auto_resume":"perhaps"})").find("auto_resume"), std::string::npos);
  EXPECT_NE(message(R"({"format":"pdf"})").find("md|json|yaml"), std::string::npos);
  EXPECT_NE(message(R"({"budget":{"warning_threshold":0.95}})").find("below"), std::string::npos);
  project("{}");
  outer.variables = {{"LOPEN_SESSION_RETENTION", "many"}};
  EXPECT_NE(read().error().text().find("LOPEN_SESSION_RETENTION"), std::string::npos);
}

TEST_F(LopenSettings, L20_SavingKeepsUnknownKeys) {
  project("{\n  \"Session\": {\"SessionRetention\": 5},\n  \"mine\": [1,  2]\n}\n");
  must(save_config(files.context, *files.store, R"({"format":"json"})"));
  EXPECT_EQ(files.bytes("/store/.lopen/config.json"),
            "{\n  \"Session\": {\"SessionRetention\": 5},\n  \"mine\": [1,  2],\n  \"format\": \"json\"\n}\n");
  EXPECT_EQ(must(read()).text("format"), "json");
}

TEST(WorkflowSettings, L20_NativeStoreReadsSameNamesFromToml) {
  LayoutStore files("holdfast");
  must(files.disk.put_file("/store/config.toml", "auto_resume = false\n[budget]\nwarning_threshold = 0.1\n"));
  const WorkflowSettings settings = must(workflow_settings(files.context, *files.store, {}));
  EXPECT_FALSE(settings.flag("auto_resume"));
  EXPECT_EQ(settings.number("budget.warning_threshold"), 0.1);
  EXPECT_NE(settings.json().find(R"("budget":{"token_budget_per_module":0)"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::inline v1
