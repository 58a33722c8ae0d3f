// The records of a native store, one row each.
#include "layout/holdfast/native_layout.h"
#include "layout/holdfast/paths.h"

namespace holdfast::inline v1::native {
namespace {

constexpr FieldShape kVersion{"schema_version", {}, FieldKind::integer, false, "1"};

}  // namespace

std::span<const RecordShape> native_shapes() {
  static const std::vector<RecordShape> shapes = {
      {.kind = "project",
       .root = kRoot,
       .path = "projects/{project}/project.json",
       .fields = {kVersion,
                  {"path", {}, FieldKind::string, true},
                  {"name", {}, FieldKind::string, true},
                  {"added_at", {}, FieldKind::time, true}}},
      {.kind = "run",
       .root = kRoot,
       .path = "projects/{project}/runs/{id}.json",
       .fields = {kVersion,
                  {"run_id", {}, FieldKind::string},
                  {"repo_path", {}, FieldKind::string},
                  {"session_id", {}, FieldKind::string, false, "null"},
                  {"agent_id", {}, FieldKind::string, true},
                  {"agent_kind", {}, FieldKind::string, false, "null"},
                  {"parent_run_id", {}, FieldKind::string, false, "null"},
                  {"status", {}, FieldKind::string, true},
                  {"detail", {}, FieldKind::string, false, "null"},
                  {"started_at", {}, FieldKind::time, true},
                  {"ended_at", {}, FieldKind::time, false, "null"}},
       .id_field = "run_id"},
      {.kind = "mission",
       .root = kRoot,
       .path = "projects/{project}/missions/{id}.json",
       .fields = {kVersion,
                  {"text", {}, FieldKind::string, true},
                  {"created_at", {}, FieldKind::time, true},
                  {"active", {}, FieldKind::boolean, true},
                  {"agents", {}, FieldKind::json, false, "[]"}}},
      {.kind = "agent_override",
       .root = kRoot,
       .path = "projects/{project}/agent_overrides/{id}.json",
       .fields = {kVersion,
                  {"agent_id", {}, FieldKind::string},
                  {"idle_prompt", {}, FieldKind::string, false, "null"},
                  {"idle_interval_secs", {}, FieldKind::integer, false, "null"}},
       .id_field = "agent_id"},
      {.kind = "permission",
       .root = kRoot,
       .path = "projects/{project}/permissions.json",
       .fields = {kVersion, {"tool_allows", {}, FieldKind::json, false, "[]"}}},
      {.kind = "credential",
       .root = kRoot,
       .path = "credentials/{id}.json",
       .fields = {kVersion, {"api_key", {}, FieldKind::string, true}},
       .secret = true},
      {.kind = "plan", .root = kRoot, .path = "projects/{project}/plans/{id}.md", .form = Form::opaque},
      {.kind = "memory", .root = kRoot, .path = "projects/{project}/memory/{id}.md", .form = Form::opaque},
      {.kind = "agent", .root = kRoot, .path = "agents/{id}.md", .form = Form::markdown},
      {.kind = "skill",
       .root = kRoot,
       .path = "skills/{id}/SKILL.md",
       .form = Form::markdown,
       .also = "skills/{id}.md"},
      {.kind = "state_file",
       .root = kRoot,
       .path = "projects/{project}/tasks/{id}.md",
       .form = Form::markdown,
       .fields = {{"type", {}, FieldKind::string, true},
                  {"task_id", "id", FieldKind::string, true},
                  {"about_task_id", "task_id", FieldKind::string}}},
      {.kind = "config", .root = kRoot, .path = "config.toml", .form = Form::toml},
      {.kind = "log", .root = kRoot, .path = "logs/{id}", .form = Form::opaque},
      {.kind = "section_cache", .root = kRoot, .path = "cache/sections/{id}.json", .form = Form::json_compact},
      {.kind = "assessment_cache", .root = kRoot, .path = "cache/assessments/{id}.json", .form = Form::json_compact},
  };
  return shapes;
}

}  // namespace holdfast::inline v1::native
