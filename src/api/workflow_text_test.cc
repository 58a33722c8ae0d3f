#include "api/workflow_text.h"

#include <gtest/gtest.h>

#include "text/json_write.h"
#include "text/yaml_value.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kState =
    R"({"session_id":"auth-20260216-1","phase":"req-gathering","step":"draft-spec","module":"auth","component":null,)"
    R"("created_at":"2026-02-16T10:30:00.1234567+00:00","updated_at":"2026-02-16T12:30:00+02:00","is_complete":false})";
constexpr std::string_view kMetrics =
    R"({"session_id":"auth-20260216-1","cumulative_input_tokens":1234567,"cumulative_output_tokens":89,)"
    R"("premium_request_count":0,"iteration_count":1000,"iterations":[],"updated_at":"2026-02-16T10:30:00+00:00"})";

WorkflowFacts facts(std::string_view state, std::string_view metrics) {
  return {"auth-20260216-1", JsonView(state), JsonView(metrics)};
}

TEST(WorkflowText, L18_MarkdownMatchesLopen) {
  EXPECT_EQ(workflow_markdown(facts(kState, {})),
            "# Session: auth-20260216-1\n\n- **Phase**: req-gathering\n- **Step**: draft-spec\n- **Module**: auth\n"
            "- **Status**: Active\n- **Created**: 2026-02-16 10:30:00Z\n- **Updated**: 2026-02-16 10:30:00Z\n");
  const std::string full =
      R"({"phase":"Building","step":"Repeat","module":"Auth","component":"Login","created_at":"2026-02-16T10:30:00Z",)"
      R"("updated_at":"2026-02-16T10:30:00Z","is_complete":true,"last_task_completion_commit_sha":"abc"})";
  EXPECT_EQ(workflow_markdown(facts(full, kMetrics)),
            "# Session: auth-20260216-1\n\n- **Phase**: Building\n- **Step**: Repeat\n- **Module**: Auth\n"
            "- **Component**: Login\n- **Status**: Complete\n- **Created**: 2026-02-16 10:30:00Z\n"
            "- **Updated**: 2026-02-16 10:30:00Z\n- **Last Commit**: abc\n\n## Metrics\n- **Iterations**: 1,000\n"
            "- **Input Tokens**: 1,234,567\n- **Output Tokens**: 89\n- **Premium Requests**: 0\n");
}

TEST(WorkflowText, L18_JsonIsIndentedWithLopenKeys) {
  EXPECT_EQ(workflow_document(facts(kState, kMetrics)),
            "{\n  \"session_id\": \"auth-20260216-1\",\n  \"phase\": \"req-gathering\",\n  \"step\": \"draft-spec\",\n"
            "  \"module\": \"auth\",\n  \"component\": null,\n  \"is_complete\": false,\n"
            "  \"created_at\": \"2026-02-16T10:30:00.1234567+00:00\",\n"
            "  \"updated_at\": \"2026-02-16T12:30:00+02:00\",\n  \"last_commit\": null,\n  \"metrics\": {\n"
            "    \"iteration_count\": 1000,\n    \"input_tokens\": 1234567,\n    \"output_tokens\": 89,\n"
            "    \"premium_requests\": 0\n  }\n}\n");
}

TEST(WorkflowText, L18_YamlOmitsNulls) {
  EXPECT_EQ(workflow_yaml(facts(kState, kMetrics)).value(),
            "session_id: auth-20260216-1\nphase: req-gathering\nstep: draft-spec\nmodule: auth\nis_complete: false\n"
            "created_at: \"2026-02-16T10:30:00.1234567+00:00\"\nupdated_at: \"2026-02-16T12:30:00+02:00\"\n"
            "metrics:\n  iteration_count: 1000\n  input_tokens: 1234567\n  output_tokens: 89\n  premium_requests: 0\n");
}

TEST(WorkflowText, L18_YamlIsValidForEveryString) {
  for (const std::string odd :
       {"a: b",   "no", "~",  "- x", "#c",   "\"q\"", "line\nbreak", "tab\there",  "\x01",        "",
        " ",      "é",  "@x", "%y",  "1e3",  "0x1f",  "null",        "|",          ">",           "[1]",
        "{a: 1}", "&a", "*b", "!t",  "a #b", "'",     "\\",          "2026-01-01", "\xE2\x80\xA8"}) {
    JsonWriter state;
    state.begin_object();
    for (const char* const key : {"phase", "step", "module", "component", "created_at"}) state.key(key).string(odd);
    const std::string json = state.end_object().take();
    const auto yaml = workflow_yaml(facts(json, {}));
    ASSERT_TRUE(yaml) << odd;
    const auto back = yaml_to_json(*yaml);
    ASSERT_TRUE(back) << odd << "\n" << *yaml;
    for (const char* const key : {"phase", "step", "module", "component", "created_at"})
      EXPECT_EQ(JsonView(*back).find(key).as_string(), odd) << *yaml;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
