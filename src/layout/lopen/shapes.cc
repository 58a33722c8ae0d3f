// The documents of `.lopen/`, one row each.
#include "layout/lopen/lopen_layout.h"
#include "layout/lopen/paths.h"
#include "layout/record_shape.h"
#include "layout/workflow_shape.h"

namespace holdfast::inline v1::lopen {

std::span<const RecordShape> lopen_shapes() {
  static const std::vector<RecordShape> shapes = {
      {.kind = "plan", .root = kRoot, .path = ".lopen/modules/{id}/plan.md", .form = RecordFormat::opaque},
      {.kind = "config", .root = kRoot, .path = ".lopen/config.json"},
      {.kind = "specification",
       .root = kRoot,
       .path = "docs/requirements/{id}/SPECIFICATION.md",
       .form = RecordFormat::markdown,
       .only_read = true},
      {.kind = "section_cache",
       .root = kRoot,
       .path = ".lopen/cache/sections/{id}.json",
       .form = RecordFormat::json_compact},
      {.kind = "assessment_cache",
       .root = kRoot,
       .path = ".lopen/cache/assessments/{id}.json",
       .form = RecordFormat::json_compact},
  };
  return shapes;
}

const WorkflowShape& lopen_workflow() {
  using enum FieldKind;
  static const WorkflowShape shape = {
      .state = {.kind = "session_state",
                .root = kRoot,
                .path = "state.json",
                .form = RecordFormat::json_compact,
                .times = TimeFormat::iso_offset,
                .fields = {{"session_id", {}, string, true},
                           {"phase", {}, string, true},
                           {"step", {}, string, true},
                           {"module", {}, string, true},
                           {"component", {}, string, false, "null"},
                           {"created_at", {}, time, true},
                           {"updated_at", {}, time, true},
                           {"is_complete", {}, boolean, false, "false"},
                           {"models_used", {}, json},
                           {"last_task_completion_commit_sha", {}, string},
                           {"task_hierarchy", {}, json},
                           {"project", {}, string},
                           {"resources", {}, json}},
                .final_newline = false},
      .metrics = {.kind = "session_metrics",
                  .root = kRoot,
                  .path = "metrics.json",
                  .form = RecordFormat::json_compact,
                  .times = TimeFormat::iso_offset,
                  .fields = {{"session_id", {}, string, true},
                             {"cumulative_input_tokens", {}, integer, false, "0"},
                             {"cumulative_output_tokens", {}, integer, false, "0"},
                             {"premium_request_count", {}, integer, false, "0"},
                             {"iteration_count", {}, integer, false, "0"},
                             {"iterations", {}, json, false, "[]"},
                             {"updated_at", {}, time, true}},
                  .final_newline = false},
      .history = "history",
      .folders = {".lopen/sessions", ".lopen/modules", ".lopen/cache/sections", ".lopen/cache/assessments"},
      .ignored = ".lopen/",
      .aside = kCorrupted};
  return shape;
}

}  // namespace holdfast::inline v1::lopen
