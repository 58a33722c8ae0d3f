// The records of a Linggen home and workspace, one row each.
#include "layout/linggen/linggen_layout.h"
#include "layout/linggen/paths.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1::linggen {

std::span<const RecordShape> linggen_shapes() {
  using enum FieldKind;
  static const std::vector<FieldShape> mission = {{"text", {}, string, true},
                                                  {"created_at", {}, time, true},
                                                  {"active", {}, boolean, true},
                                                  {"agents", {}, json, false, "[]"}};
  static const std::vector<RecordShape> shapes = {
      {.kind = "project",
       .root = kHome,
       .path = "projects/{project}/project.json",
       .times = TimeFormat::epoch_s,
       .fields = {{"path", {}, string, true}, {"name", {}, string, true}, {"added_at", {}, time, true}},
       .final_newline = false},
      {.kind = "run",
       .root = kHome,
       .path = "projects/{project}/runs/{id}.json",
       .times = TimeFormat::epoch_s,
       .fields = {{"run_id", {}, string},
                  {"repo_path", {}, string},
                  {"session_id", {}, string, false, "null"},
                  {"agent_id", {}, string, true},
                  {"agent_kind", {}, string, false, "null"},
                  {"parent_run_id", {}, string, false, "null"},
                  {"status", {}, string, true},
                  {"detail", {}, string, false, "null"},
                  {"started_at", {}, time, true},
                  {"ended_at", {}, time, false, "null"}},
       .id_field = "run_id",
       .final_newline = false},
      {.kind = "mission",
       .root = kHome,
       .path = "projects/{project}/missions/{id}.json",
       .times = TimeFormat::epoch_s,
       .fields = mission,
       .final_newline = false},
      // The single file of versions without a history.
      {.kind = "legacy_mission",
       .root = kHome,
       .path = "projects/{project}/mission.json",
       .times = TimeFormat::epoch_s,
       .fields = mission,
       .final_newline = false},
      {.kind = "agent_override",
       .root = kHome,
       .path = "projects/{project}/agent_overrides/{id}.json",
       .fields = {{"agent_id", {}, string},
                  {"idle_prompt", {}, string, false, "null"},
                  {"idle_interval_secs", {}, integer, false, "null"}},
       .id_field = "agent_id",
       .final_newline = false},
      {.kind = "permission",
       .root = kWorkspace,
       .path = ".linggen/permissions.json",
       .fields = {{"tool_allows", {}, json, false, "[]"}},
       .final_newline = false},
      {.kind = "credential",
       .root = kHome,
       .path = "credentials.json",
       .fields = {{"api_key", {}, string, true}},
       .secret = true,
       .entries = true},
      {.kind = "config", .root = kHome, .path = "config/linggen-agent.runtime.toml", .form = RecordFormat::toml},
      {.kind = "plan", .root = kHome, .path = "plans/{id}.md", .form = RecordFormat::opaque},
      {.kind = "agent", .root = kHome, .path = "agents/{id}.md", .form = RecordFormat::markdown},
      {.kind = "skill",
       .root = kHome,
       .path = "skills/{id}.md",
       .form = RecordFormat::markdown,
       .also = "skills/{id}/SKILL.md"},
      {.kind = "state_file",
       .root = kWorkspace,
       .path = ".linggen/workspace/tasks/{id}.md",
       .form = RecordFormat::markdown,
       .fields = {{"type", {}, string, true}, {"task_id", "id", string, true}, {"about_task_id", "task_id", string}}},
      {.kind = "log", .root = kHome, .path = "logs/{id}", .form = RecordFormat::opaque},
      // The missions of current versions, which run on a schedule and belong to no project.
      {.kind = "cron_mission", .root = kHome, .path = "missions/{id}/mission.md", .form = RecordFormat::markdown},
      {.kind = "cron_mission_runs",
       .root = kHome,
       .path = "missions/{id}/runs.jsonl",
       .form = RecordFormat::json_lines},
  };
  return shapes;
}

}  // namespace holdfast::inline v1::linggen
