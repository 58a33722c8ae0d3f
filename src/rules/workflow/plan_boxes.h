// The boxes of a module's plan and the tasks of its tree: which box is whose.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/task_tree.h"

namespace holdfast::inline v1 {

struct TickedPlan {
  std::string text;       // with no other byte changed
  std::size_t boxes = 0;  // that changed
};

// Ticks the boxes of tasks that became Complete and unticks those that are no
// longer. A box is a task's when its text is the task's name or id; of several,
// the one whose boxes and headings above it agree most with the tasks above it;
// of equals, the n-th for the n-th task that could have them. A task
// without a box changes nothing.
Result<TickedPlan> tick_plan(std::string_view plan, const TaskTree& tree);

}  // namespace holdfast::inline v1
