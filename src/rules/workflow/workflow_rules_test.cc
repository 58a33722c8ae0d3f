// The rules alone: steps and triggers, tasks, boxes of a plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "crash/disk/sim_testing.h"
#include "model/task_tree_testing.h"
#include "rules/workflow/plan_boxes.h"
#include "rules/workflow/workflow_steps.h"

namespace holdfast::inline v1 {
namespace {

using enum WorkflowStep;

constexpr std::array<WorkflowStep, 7> kAllSteps = {draft_specification,
                                                   determine_dependencies,
                                                   identify_components,
                                                   select_next_component,
                                                   break_into_tasks,
                                                   iterate_through_tasks,
                                                   repeat};

TEST(WorkflowRules, L06_AcceptsNineTransitionsAndRefusesOthers) {
  struct Row {
    WorkflowStep from;
    const char* trigger;
    WorkflowStep to;
    bool complete;
  };
  const std::vector<Row> rows = {{draft_specification, "SpecApproved", determine_dependencies, false},
                                 {determine_dependencies, "DependenciesDetermined", identify_components, false},
                                 {identify_components, "ComponentsIdentified", select_next_component, false},
                                 {select_next_component, "ComponentSelected", break_into_tasks, false},
                                 {break_into_tasks, "TasksBrokenDown", iterate_through_tasks, false},
                                 {iterate_through_tasks, "TaskIterationComplete", iterate_through_tasks, false},
                                 {iterate_through_tasks, "ComponentComplete", repeat, false},
                                 {select_next_component, "ModuleComplete", repeat, true},
                                 {repeat, "Assess", select_next_component, false}};
  int taken = 0;
  for (const WorkflowStep from : kAllSteps) {
    for (const Row& row : rows) {
      const auto move = workflow_move(from, row.trigger);
      EXPECT_EQ(move.has_value(), from == row.from) << row.trigger << " in " << workflow_step_name(from);
      if (!move) {
        EXPECT_EQ(move.error().code, Code::invalid_argument);
        EXPECT_NE(move.error().message.find(row.trigger), std::string::npos);
        continue;
      }
      ++taken;
      EXPECT_EQ(move->to, row.to);
      EXPECT_EQ(move->module_complete, row.complete);
    }
  }
  EXPECT_EQ(taken, 9);
  EXPECT_FALSE(workflow_move(repeat, ""));
  EXPECT_TRUE(workflow_move(repeat, "assess"));
  EXPECT_TRUE(workflow_move(draft_specification, "spec_approved"));
}

TEST(WorkflowRules, L02_RecognizesBothVocabularies) {
  for (const WorkflowStep step : kAllSteps) EXPECT_EQ(workflow_step_of(workflow_step_name(step)), step);
  EXPECT_EQ(workflow_step_of("draft-spec"), draft_specification);
  EXPECT_EQ(workflow_step_of("iterate"), iterate_through_tasks);
  EXPECT_EQ(workflow_step_of("something else"), std::nullopt);
  EXPECT_EQ(first_step_of_phase("req-gathering"), draft_specification);
  EXPECT_EQ(first_step_of_phase("Planning"), determine_dependencies);
  EXPECT_EQ(first_step_of_phase("building"), iterate_through_tasks);
  EXPECT_EQ(workflow_phase_name(break_into_tasks), "Planning");
}

TEST(WorkflowRules, L08_SpecificationDecidesStep) {
  const std::string text =
      "# Auth\n\n" + std::string(120, 'x') + "\n\n- [x] a box of the text\n\n## Acceptance Criteria\n\n";
  EXPECT_EQ(assess_step(std::nullopt, repeat), draft_specification);
  EXPECT_EQ(assess_step("\xff\xfe", repeat), draft_specification);
  EXPECT_EQ(assess_step(text + "- [x] a\n- [X] b\n", draft_specification), repeat);
  EXPECT_EQ(assess_step(text + "- [x] a\n- [ ] b\n", draft_specification), iterate_through_tasks);
  EXPECT_EQ(assess_step(text + "- [ ] a\n- [ ] b\n", break_into_tasks), break_into_tasks);
  EXPECT_EQ(assess_step(text + "- [ ] a\n", std::nullopt), determine_dependencies);
  EXPECT_EQ(assess_step("# Auth\n", std::nullopt), draft_specification);
  EXPECT_EQ(assess_step("- [x] a\n```\n- [ ] no box\n```\n", std::nullopt), repeat);
}

std::string ticked(std::string_view plan, std::string_view tree, std::vector<std::string> done) {
  TaskTree tasks(tree);
  for (const std::string& task : done) {
    for (const char* to : {"InProgress", "Complete"}) must(tasks.set_state(task, to));
  }
  return must(tick_plan(plan, tasks)).text;
}

TEST(PlanBoxes, L09_TickingChangesOnlyBoxes) {
  const std::string plan =
      "# Plan\r\n\r\nSome prose: - [ ] Sign\r\n\r\n- [ ] Api\r\n\t- [ ] Add JWT  \r\n\t\t- [ ] Sign\r\n* [ ] other";
  // The subtask is ticked, and the task that is complete with it.
  EXPECT_EQ(
      ticked(plan, kTree, {"sign"}),
      "# Plan\r\n\r\nSome prose: - [ ] Sign\r\n\r\n- [ ] Api\r\n\t- [x] Add JWT  \r\n\t\t- [x] Sign\r\n* [ ] other");
}

TEST(PlanBoxes, L09_DuplicateTextIsResolvedByPath) {
  const std::string boxes = "- [ ] Api\n  - [ ] Test\n- [ ] Db\n  - [ ] Test\n";
  EXPECT_EQ(ticked(boxes, kTree, {"auth/db/test"}), "- [ ] Api\n  - [ ] Test\n- [x] Db\n  - [x] Test\n");
  EXPECT_EQ(ticked(boxes, kTree, {"auth/api/test"}), "- [ ] Api\n  - [x] Test\n- [ ] Db\n  - [ ] Test\n");
  const std::string headings = "## Api\n- [ ] Test\n## Db\n- [ ] Test\n";
  EXPECT_EQ(ticked(headings, kTree, {"auth/db/test"}), "## Api\n- [ ] Test\n## Db\n- [x] Test\n");
  // They cannot be distinguished: the n-th box is for the n-th task.
  EXPECT_EQ(ticked("- [ ] Test\n- [ ] Test\n", kTree, {"auth/db/test"}), "- [ ] Test\n- [x] Test\n");
  EXPECT_EQ(ticked("- [ ] Other\n", kTree, {"auth/db/test"}), "- [ ] Other\n");
}

TEST(PlanBoxes, L09_LeavingCompleteUnticksBox) {
  const std::string tree = R"([{"id":"api","name":"Api","state":"Complete","node_type":"component","children":[)"
                           R"({"id":"t","name":"T","state":"Complete","node_type":"task","children":[]}]}])";
  TaskTree tasks(tree);
  must(tasks.add({.parent = "api", .id = "u", .name = "U"}));
  EXPECT_EQ(tasks.nodes().front().state, TaskState::in_progress);
  EXPECT_EQ(must(tick_plan("- [x] Api\n  - [x] T\n", tasks)).text, "- [ ] Api\n  - [x] T\n");
}

}  // namespace
}  // namespace holdfast::inline v1
