// The workflow of a native session: fields of its session.json, and metrics.json beside it.
#include "layout/holdfast/native_layout.h"
#include "layout/holdfast/paths.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"

namespace holdfast::inline v1::native {

const WorkflowShape& native_workflow() {
  using enum FieldKind;
  static const WorkflowShape shape = {.state = {.kind = "session_state",
                                                .root = kRoot,
                                                .path = "session.json",
                                                .fields = {{"phase", {}, string},
                                                           {"step", {}, string},
                                                           {"module", {}, string},
                                                           {"component", {}, string},
                                                           {"created_at", {}, time},
                                                           {"updated_at", {}, time},
                                                           {"status", {}, string},
                                                           {"models_used", {}, json},
                                                           {"last_task_completion_commit_sha", {}, string},
                                                           {"task_hierarchy", {}, json},
                                                           {"project", {}, string},
                                                           {"resources", {}, json}}},
                                      .metrics = {.kind = "session_metrics",
                                                  .root = kRoot,
                                                  .path = "metrics.json",
                                                  .fields = {{"schema_version", {}, integer, false, "1"},
                                                             {"session_id", {}, string, true},
                                                             {"cumulative_input_tokens", {}, integer, false, "0"},
                                                             {"cumulative_output_tokens", {}, integer, false, "0"},
                                                             {"premium_request_count", {}, integer, false, "0"},
                                                             {"iteration_count", {}, integer, false, "0"},
                                                             {"iterations", {}, json, false, "[]"},
                                                             {"updated_at", {}, time, true}}},
                                      .history = "history"};
  return shape;
}

}  // namespace holdfast::inline v1::native
