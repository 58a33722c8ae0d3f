#include "rules/workflow/workflow_steps.h"

#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/checklist.h"
#include "text/markdown_sections.h"

namespace holdfast::inline v1 {
namespace {

using enum WorkflowStep;

struct StepRow {
  WorkflowStep step;
  std::string_view phase, name;
  std::string_view also;  // another known spelling, folded
  int percent;
};

constexpr std::array<StepRow, 7> kSteps = {{
    {draft_specification, "RequirementGathering", "DraftSpecification", "draftspec", 5},
    {determine_dependencies, "Planning", "DetermineDependencies", "", 15},
    {identify_components, "Planning", "IdentifyComponents", "", 25},
    {select_next_component, "Planning", "SelectNextComponent", "", 35},
    {break_into_tasks, "Planning", "BreakIntoTasks", "", 45},
    {iterate_through_tasks, "Building", "IterateThroughTasks", "iterate", 70},
    {repeat, "Building", "Repeat", "", 90},
}};

struct PhaseRow {
  std::string_view folded;
  WorkflowStep first;
};
constexpr std::array<PhaseRow, 6> kPhases = {{{"requirementgathering", draft_specification},
                                              {"reqgathering", draft_specification},
                                              {"research", draft_specification},
                                              {"planning", determine_dependencies},
                                              {"building", iterate_through_tasks},
                                              {"complete", repeat}}};

struct TriggerRow {
  WorkflowStep from;
  std::string_view trigger;
  WorkflowStep to;
  bool module_complete = false;
};
constexpr std::array<TriggerRow, 9> kTriggers = {{
    {draft_specification, "SpecApproved", determine_dependencies},
    {determine_dependencies, "DependenciesDetermined", identify_components},
    {identify_components, "ComponentsIdentified", select_next_component},
    {select_next_component, "ComponentSelected", break_into_tasks},
    {break_into_tasks, "TasksBrokenDown", iterate_through_tasks},
    {iterate_through_tasks, "TaskIterationComplete", iterate_through_tasks},
    {iterate_through_tasks, "ComponentComplete", repeat},
    {select_next_component, "ModuleComplete", repeat, true},
    {repeat, "Assess", select_next_component},
}};

// Letters and digits in lower case: "draft-spec" and "DraftSpec" are the same word.
std::string folded(std::string_view text) {
  std::string word;
  for (const char letter : text) {
    if (is_ascii_alnum(letter)) word += ascii_lower(letter);
  }
  return word;
}

const StepRow& row_of(WorkflowStep step) { return kSteps[static_cast<std::size_t>(step)]; }

struct Boxes {
  std::size_t all = 0, ticked = 0;
};

Boxes boxes_in(std::string_view text) {
  Boxes boxes;
  for (const ChecklistItem& item : checklist(text)) {
    ++boxes.all;
    boxes.ticked += item.marker == 'x' || item.marker == 'X' ? 1 : 0;
  }
  return boxes;
}

// Returns the boxes below a heading "Acceptance Criteria"; all boxes if there is no such heading.
Boxes acceptance_boxes(std::string_view specification) {
  for (const MarkdownHeading& heading : markdown_headings(specification)) {
    if (folded(heading.text) == "acceptancecriteria") return boxes_in(heading.subtree(specification));
  }
  return boxes_in(specification);
}

}  // namespace

std::string_view workflow_step_name(WorkflowStep step) { return row_of(step).name; }
std::string_view workflow_phase_name(WorkflowStep step) { return row_of(step).phase; }
int workflow_step_number(WorkflowStep step) { return static_cast<int>(step) + 1; }
int workflow_percent(WorkflowStep step) { return row_of(step).percent; }

std::optional<WorkflowStep> workflow_step_of(std::string_view written) {
  const std::string word = folded(written);
  if (word.empty()) return std::nullopt;
  for (const StepRow& row : kSteps) {
    if (word == folded(row.name) || word == row.also) return row.step;
  }
  return std::nullopt;
}

std::optional<WorkflowStep> first_step_of_phase(std::string_view written) {
  const std::string word = folded(written);
  for (const PhaseRow& row : kPhases) {
    if (word == row.folded) return row.first;
  }
  return std::nullopt;
}

Result<StepMove> workflow_move(WorkflowStep from, std::string_view trigger) {
  const std::string word = folded(trigger);
  std::string possible;
  for (const TriggerRow& row : kTriggers) {
    if (row.from != from) continue;
    if (word == folded(row.trigger)) return StepMove{row.to, row.module_complete, row.trigger};
    possible += (possible.empty() ? "" : ", ") + std::string(row.trigger);
  }
  return fail(Code::invalid_argument, "the trigger " + std::string(trigger) + " is refused in step " +
                                          std::string(workflow_step_name(from)) + "; possible: " + possible);
}

WorkflowStep assess_step(const std::optional<std::string>& specification, std::optional<WorkflowStep> hint) {
  if (!specification || !is_utf8(*specification) || specification->find('\0') != std::string::npos)
    return draft_specification;
  const Boxes boxes = acceptance_boxes(*specification);
  if (boxes.all != 0 && boxes.ticked == boxes.all) return repeat;
  if (boxes.ticked != 0) return iterate_through_tasks;
  if (hint) return *hint;
  return specification->size() > 100 ? determine_dependencies : draft_specification;
}

}  // namespace holdfast::inline v1
