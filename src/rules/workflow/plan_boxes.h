// Matches the boxes of a module's plan with the tasks of its tree.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/task_tree.h"

namespace holdfast::inline v1 {

struct TickedPlan {
  std::string text;       // no other byte changed
  std::size_t boxes = 0;  // number of changed boxes
};

// Ticks the boxes of tasks that became Complete and unticks those of tasks that are no
// longer. A box belongs to a task if its text is the task's name or id; of several, the
// one whose enclosing boxes and headings match the task's ancestors best; if equal, the
// n-th box for the n-th such task. A task without a box changes nothing.
Result<TickedPlan> tick_plan(std::string_view plan, const TaskTree& tree);

}  // namespace holdfast::inline v1
