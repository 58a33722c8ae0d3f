// The seven steps of a workflow and the transitions between them, as data; and the rule
// that determines a module's step from its specification.
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

// "DraftSpecification" and its phase "RequirementGathering": the names as written.
std::string_view workflow_step_name(WorkflowStep step);
std::string_view workflow_phase_name(WorkflowStep step);
int workflow_step_number(WorkflowStep step);  // 1 to 7
int workflow_percent(WorkflowStep step);      // progress shown to people

// Accepts any known spelling: "DraftSpecification", "draft-spec", "draft_specification".
std::optional<WorkflowStep> workflow_step_of(std::string_view written);
// The same for a phase alone; returns its first step.
std::optional<WorkflowStep> first_step_of_phase(std::string_view written);

struct StepMove {
  WorkflowStep to = WorkflowStep::draft_specification;
  bool module_complete = false;
  std::string_view trigger;  // as the table spells it
};

// Returns where `trigger` leads from a step. An invalid_argument error names the possible triggers.
Result<StepMove> workflow_move(WorkflowStep from, std::string_view trigger);

// Re-entrant assessment: the files decide, the stored step is only a hint. Without a
// (readable) specification: the first step; all acceptance criteria ticked: repeat;
// some: iterate; none: the hint, else the second step if there is text (over 100
// characters), else the first.
WorkflowStep assess_step(const std::optional<std::string>& specification, std::optional<WorkflowStep> hint);

}  // namespace holdfast::inline v1
