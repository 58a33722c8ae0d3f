// The seven steps of a workflow and what leads from one to the next, as data;
// and the rule that says from a specification where a module really stands.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

enum class WorkflowStep {
  draft_specification,
  determine_dependencies,
  identify_components,
  select_next_component,
  break_into_tasks,
  iterate_through_tasks,
  repeat,
};

// "DraftSpecification" and its phase "RequirementGathering": the names that are written.
std::string_view workflow_step_name(WorkflowStep step);
std::string_view workflow_phase_name(WorkflowStep step);
int workflow_step_number(WorkflowStep step);  // 1 to 7
int workflow_percent(WorkflowStep step);      // progress shown to people

// By any spelling that was seen: "DraftSpecification", "draft-spec", "draft_specification".
std::optional<WorkflowStep> workflow_step_of(std::string_view written);
// The same for a phase alone: its first step.
std::optional<WorkflowStep> first_step_of_phase(std::string_view written);

struct StepMove {
  WorkflowStep to = WorkflowStep::draft_specification;
  bool module_complete = false;
  std::string_view trigger;  // as the table spells it
};

// Where `trigger` leads from a step. invalid_argument names what would be possible.
Result<StepMove> workflow_move(WorkflowStep from, std::string_view trigger);

// Re-entrant assessment: the files decide, the stored step is only a hint. No
// (readable) specification: the first step; all acceptance criteria ticked:
// repeat; some: iterate; none: the hint, else the second step when there is
// text (over 100 characters), else the first.
WorkflowStep assess_step(const std::optional<std::string>& specification, std::optional<WorkflowStep> hint);

}  // namespace holdfast::inline v1
