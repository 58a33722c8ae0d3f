// The documents of a project with workflow state, one row each.
#include "layout/record_shape.h"
#include "layout/workflow/workflow_layout.h"

namespace holdfast::inline v1::workflow {

std::span<const RecordShape> workflow_shapes() {
  using enum FieldKind;
  static const std::vector<RecordShape> shapes = {
      {.kind = "initiative",
       .root = kProject,
       .path = ".claude/initiative.json",
       .fields = {{"version", {}, string, false, "\"2.0\""},
                  {"name", {}, string, true},
                  {"status", {}, string, true},
                  {"current_milestone", "currentMilestone", string},
                  {"last_updated", "lastUpdated", time, true},
                  {"progress", {}, object, false, "{}"},
                  {"checkpoints", {}, array, false, "[]"},
                  {"next_action", "nextAction", string}},
       .strict = true},
      // By the initiative's name; an old file beside initiative.json is used where it is.
      {.kind = "workflow_status",
       .root = kProject,
       .path = "documentation/milestones/_active/{id}/WORKFLOW-STATUS.yaml",
       .form = RecordFormat::yaml,
       .also = ".claude/WORKFLOW-STATUS.yaml",
       .source = true},
      {.kind = "interview", .root = kProject, .path = ".claude/interview-state.json"},
      {.kind = "workflow_state", .root = kProject, .path = ".claude/workflow-state.json"},
      {.kind = "memory", .root = kMemory, .path = "MEMORY.md", .form = RecordFormat::opaque, .source = true},
      {.kind = "archived_initiative",
       .root = kProject,
       .path = "documentation/milestones/_archived/{id}.md",
       .form = RecordFormat::opaque,
       .source = true},
  };
  return shapes;
}

}  // namespace holdfast::inline v1::workflow
