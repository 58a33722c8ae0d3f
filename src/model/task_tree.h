// The tasks of a workflow: a tree of module > component > task > subtask, each Pending, InProgress, Complete or Failed.
// It is the JSON array as stored: what is not changed keeps its bytes. Thread-safety: a plain value.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/record.h"

namespace holdfast::inline v1 {

enum class TaskState { pending, in_progress, complete, failed };
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<TaskState> =
    std::to_array<std::string_view>({"Pending", "InProgress", "Complete", "Failed"});

enum class TaskType { module, component, task, subtask };  // from the top
template <>
[[gnu::visibility("hidden")]] inline constexpr auto kWords<TaskType> =
    std::to_array<std::string_view>({"module", "component", "task", "subtask"});

struct TaskNode {
  std::string id, name;
  Word<TaskState> state;
  Word<TaskType> type;
  std::vector<std::string> ids;    // from the top, ending in its own
  std::vector<std::string> names;  // likewise
  std::vector<std::size_t> at;     // index among its siblings, on each level
  std::size_t children = 0;
};

// Treats "in_progress", "InProgress" and "in-progress" as the same.
std::optional<TaskState> task_state_of(std::string_view written);

// True if a task may change from one state to the other: there are four such transitions.
bool is_valid_transition(const Word<TaskState>& from, TaskState to);

// The state of a parent with these children: all Complete: Complete; one
// Failed: Failed; one InProgress or Complete: InProgress; else Pending.
TaskState aggregate_state(const std::vector<Word<TaskState>>& children);

struct TaskChange {
  TaskNode node;  // with its new state
  Word<TaskState> before;
};

struct NewTask {
  std::string parent = {};  // like `which` of set_state; empty for the top level
  std::string id = {};
  std::string name = {};
  std::string type = {};  // empty: the level below its parent; "module" at the top
};

class TaskTree {
 public:
  // Empty or null means that there are no tasks yet.
  explicit TaskTree(std::string_view json) : text_(json.empty() || json == "null" ? "[]" : json) {}

  const std::string& text() const { return text_; }
  // Every node, parents before children.
  std::vector<TaskNode> nodes() const;
  // All changes since construction: each task, then those above it.
  const std::vector<TaskChange>& changed() const { return changed_; }

  // `which` is an id, or ids from the top joined by '/' if an id is not unique.
  // Updates the states above. Fails with not_found, or with invalid_argument for a
  // transition that does not exist, or a node whose state follows from its children.
  Result<void> set_state(std::string_view which, std::string_view state);
  // Adds a Pending node after its siblings. Fails with already_exists if that parent already has the id.
  Result<void> add(const NewTask& task);

 private:
  struct Met;  // a node on the path from the top
  using Way = std::vector<Met>;
  static Met met(JsonView node, std::size_t index);
  static TaskNode node_of(const Way& way);
  template <typename Visit>
  static bool visit(JsonView nodes, Way& way, const Visit& take);
  Result<Way> way_to(std::string_view which) const;
  Way way_at(const std::vector<std::size_t>& at) const;
  Result<void> write_state(const Way& way, TaskState state);
  Result<void> settle_above(std::vector<std::size_t> at);

  std::string text_;
  std::vector<TaskChange> changed_;
};

}  // namespace holdfast::inline v1
