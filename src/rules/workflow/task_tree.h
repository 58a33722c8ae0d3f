// The tasks of a workflow: a tree of module > component > task > subtask, each
// Pending, InProgress, Complete or Failed. Works on the JSON as it is stored:
// what is not changed keeps its bytes. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct TaskNode {
  std::string id, name, state, type;
  std::vector<std::string> ids;    // from the top, its own last
  std::vector<std::string> names;  // the same
  std::vector<std::size_t> at;     // index among its siblings, on each level
  std::size_t children = 0;
};

// Every node, each before its children.
std::vector<TaskNode> task_nodes(JsonView hierarchy);

// "in_progress", "InProgress", "in-progress" -> "InProgress"; empty: no such state.
std::string_view task_state_of(std::string_view written);

// Whether a task may go from one state to the other: the four ways there are.
bool may_become(std::string_view from, std::string_view to);

// What a parent is when its children are this: all Complete: Complete; one
// Failed: Failed; one InProgress or Complete: InProgress; else Pending.
std::string_view aggregate_state(const std::vector<std::string>& children);

struct TaskChanged {
  TaskNode node;  // with its new state
  std::string before;
};

struct TreeChange {
  std::string hierarchy;             // a JSON array
  std::vector<TaskChanged> changed;  // the task, then those above it
};

// `which` is an id, or ids from the top joined by '/' where one id stands twice.
// The states above follow. not_found; invalid_argument: a way that does not
// exist, or a node whose state follows from its children.
Result<TreeChange> set_task_state(std::string_view hierarchy, std::string_view which, std::string_view state);

struct NewTask {
  std::string parent = {};  // as `which`; empty: at the top
  std::string id = {};
  std::string name = {};
  std::string type = {};  // empty: the level below its parent; at the top "module"
};
// A Pending node behind its siblings. already_exists: that parent has the id already.
Result<TreeChange> add_task(std::string_view hierarchy, const NewTask& task);

}  // namespace holdfast::inline v1
