// The workflow of a session: its step, its tasks, its counts. Every call is one
// commit of all that the event changes (state, metrics, the plan's boxes, the
// snapshot of an iteration), durable (power) when it returns; there is nothing
// left to save when a program is interrupted (L06).
// After a save that failed for want of space, permission or a working device the
// session stands still: changes are refused until session_start.h resumes it.
// Works on every layout with a WorkflowShape. Thread-safety: as Store.
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
  std::string task;   // as task_tree.h names them
  std::string state;  // any spelling
};

// What happened; what is left empty stays as it is.
struct WorkflowEvent {
  std::string trigger = {};             // of the table of steps
  std::vector<NewTask> new_tasks = {};  // before `tasks`
  std::vector<TaskRequest> tasks = {};  // in order
  std::optional<Iteration> iteration = {};
  std::optional<std::string> component = {};   // empty text: none
  std::optional<std::string> commit_sha = {};  // of the last task completed; empty text: none
  std::string model = {};                      // one that was used
  std::string resources = {};                  // {"specs":[...],"research":[...],"plans":[...]}: added
  bool pause = false;                          // the person stops here: the time of the save is kept
  bool complete = false;                       // the module is done
  bool history = false;                        // an iteration leaves a snapshot (save_iteration_history)
  std::size_t retention = 0;                   // completed sessions that stay when this one completes; 0: all
};

struct WorkflowView {
  std::string id;
  std::string module;
  WorkflowStep step = WorkflowStep::draft_specification;
  std::string phase_written, step_written;  // as the file has them
  std::string component;
  bool complete = false;
  std::string created_at, updated_at;  // ISO-8601 UTC
  std::string state;                   // the whole document
  std::string metrics;                 // the same; empty: none yet
  std::string paused;                  // why it stands still after a failed save; empty: it does not
  std::size_t boxes = 0;               // of the plan that the event changed
  std::vector<std::string> pruned;     // ids of old sessions that went when this one completed
};

Result<WorkflowView> get_workflow(const Context& context, Store& store, std::string_view id);

// invalid_argument: a trigger or a change of a task that is not possible, or the
// session is complete. storage_unavailable: it stands still. Nothing is changed then.
Result<WorkflowView> save_workflow(const Context& context, Store& store, std::string_view id,
                                   const WorkflowEvent& event);

// {"session","module","phase","step","step_number","progress",...}: docs/api.md, workflow.get.
std::string workflow_json(const WorkflowView& view);
// {"session","cumulative_input_tokens",...,"iterations":[...]}; zeros when there is none yet.
std::string metrics_json(const WorkflowView& view);

}  // namespace holdfast::inline v1
