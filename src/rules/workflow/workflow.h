// The workflow of a session: its step, its tasks, its counts. Every call is one commit
// of everything that the event changes (state, metrics, the plan's boxes, the snapshot
// of an iteration), durable (power) on return; nothing is left to save if a program is
// interrupted (L06). After a save that failed for lack of space, permission or a
// working device, the session is paused: changes are refused until session_start.h
// resumes it. Works on every layout with a WorkflowShape. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/task_tree.h"
#include "rules/workflow/workflow_steps.h"

namespace holdfast::inline v1 {

struct Iteration {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t context_window_size = 0;
  bool premium = false;
};

struct TaskRequest {
  std::string task;   // named as in task_tree.h
  std::string state;  // any spelling
};

// What happened; empty members change nothing.
struct WorkflowEvent {
  std::string trigger = {};             // from the table of steps
  std::vector<NewTask> new_tasks = {};  // added before `tasks`
  std::vector<TaskRequest> tasks = {};  // in order
  std::optional<Iteration> iteration = {};
  std::optional<std::string> component = {};   // empty text: none
  std::optional<std::string> commit_sha = {};  // of the last completed task; empty text: none
  std::string model = {};                      // a model that was used
  std::string resources = {};                  // {"specs":[...],"research":[...],"plans":[...]}: added
  bool pause = false;                          // the person stops here: record the time of the save
  bool complete = false;                       // the module is done
  bool history = false;                        // write a snapshot of the iteration (save_iteration_history)
  std::size_t retention = 0;                   // completed sessions to keep when this one completes; 0: all
};

struct WorkflowView {
  std::string id;
  std::string module;
  WorkflowStep step = WorkflowStep::draft_specification;
  std::string phase_written, step_written;  // as in the file
  std::string component;
  bool complete = false;
  std::string created_at, updated_at;  // ISO-8601 UTC
  std::string state;                   // the whole document
  std::string metrics;                 // the whole document; empty if none yet
  std::string paused;                  // why the session is paused after a failed save; empty if it is not
  std::size_t boxes = 0;               // boxes of the plan that the event changed
  std::vector<std::string> pruned;     // ids of old sessions deleted when this one completed
};

Result<WorkflowView> get_workflow(const Context& context, Store& store, std::string_view id);

// Fails with invalid_argument if a trigger or task change is not possible or the session is
// complete, with storage_unavailable if it is paused. Then nothing is changed.
Result<WorkflowView> save_workflow(const Context& context, Store& store, std::string_view id,
                                   const WorkflowEvent& event);

// {"session","module","phase","step","step_number","progress",...}: docs/api.md, workflow.get.
std::string workflow_json(const WorkflowView& view);
// Returns {"session","cumulative_input_tokens",...,"iterations":[...]}; zeros if there is none yet.
std::string metrics_json(const WorkflowView& view);

}  // namespace holdfast::inline v1
