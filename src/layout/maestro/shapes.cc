// The records of a Maestro store, one row each. Names in the model are snake_case; the
// content of privacy, metadata, agent and stateSnapshot is shown as written.
#include "layout/maestro/maestro_layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1::maestro {
namespace {

using enum FieldKind;

constexpr FieldShape kVersion{"schema_version", "schemaVersion", integer, false, "1"};

}  // namespace

std::span<const RecordShape> maestro_shapes() {
  static const std::vector<RecordShape> shapes = {
      {.kind = "thread",
       .root = kRoot,
       .path = "threads/{id}.json",
       .fields = {kVersion,
                  {"id", {}, string},
                  {"title", {}, string, false, "\"\""},
                  {"created_at", "createdAt", time, true},
                  {"updated_at", "updatedAt", time, true},
                  {"project_path", "projectPath", string, false, "\"\""},
                  {"harness", {}, string, false, "\"\""},
                  {"model", {}, string, false, "\"\""},
                  {"last_session_id", "lastSessionId", string, false, "null"},
                  {"state_snapshot", "stateSnapshot", json, false, "null"},
                  {"privacy", {}, json, false, R"({"localOnly":true,"redactInputs":false,"redactOutputs":false})"},
                  {"metadata", {}, json, false, R"({"tags":[],"pinned":false})"}},
       .id_field = "id",
       .final_newline = false,
       .version_field = "schemaVersion"},
      {.kind = "session",
       .root = kRoot,
       .path = "sessions/{id}.json",
       .fields = {kVersion,
                  {"id", {}, string},
                  {"thread_id", "threadId", string, true},
                  {"status", {}, string, true},
                  {"started_at", "startedAt", time, true},
                  {"ended_at", "endedAt", time, false, "null"},
                  {"workspace_root", "workspaceRoot", string, false, "\"\""},
                  {"agent", {}, json, false, R"({"harness":"","configHash":"","env":{}})"},
                  {"tool_runs", "toolRuns", json, false, "[]"}},
       .id_field = "id",
       .final_newline = false,
       .version_field = "schemaVersion"},
      // {project} is the thread's id.
      {.kind = "message",
       .root = kRoot,
       .path = "messages/{project}/{id}.json",
       .fields = {kVersion,
                  {"id", {}, string},
                  {"thread_id", "threadId", string, true},
                  {"session_id", "sessionId", string, true},
                  {"role", {}, string, true},
                  {"content", {}, string, false, "\"\""},
                  {"created_at", "createdAt", time, true},
                  {"tool_call_id", "toolCallId", string, false, "null"}},
       .id_field = "id",
       .final_newline = false,
       .version_field = "schemaVersion"},
      {.kind = "index",
       .root = kRoot,
       .path = "index.json",
       .fields = {kVersion, {"threads", {}, json, false, "[]"}, {"rebuilt_at", "rebuiltAt", time, true}},
       .final_newline = false,
       .version_field = "schemaVersion"},
      {.kind = "queue_item",
       .root = kRoot,
       .path = "sync_queue/{id}.json",
       .fields = {kVersion,
                  {"id", {}, string},
                  {"entity", {}, string, true},
                  {"entity_id", "entityId", string, true},
                  {"op", {}, string, true},
                  {"payload_hash", "payloadHash", string, true},
                  {"attempts", {}, integer, false, "0"},
                  {"next_attempt_at", "nextAttemptAt", time, true},
                  {"created_at", "createdAt", time, true},
                  {"status", {}, string, false, "\"pending\""}},
       .id_field = "id",
       .final_newline = false,
       .version_field = "schemaVersion"},
  };
  return shapes;
}

}  // namespace holdfast::inline v1::maestro
