// How a layout keeps the workflow of a session (phase, step, task tree, counts), as a
// table that the rules in src/rules/workflow use with every layout.
#pragma once

#include <string_view>
#include <vector>

#include "layout/record_shape.h"

namespace holdfast::inline v1 {

struct WorkflowShape {
  // Documents in the session's folder; `path` is their name there. Fields of `state`:
  // session_id, phase, step, module, component, created_at, updated_at, is_complete or
  // status, models_used, last_task_completion_commit_sha, task_hierarchy, project,
  // resources. Fields of `metrics`: see docs/formats/lopen.md.
  RecordShape state;
  RecordShape metrics;
  std::string_view history;  // folder of n.json below the session's folder
  // Directories of the first root that are created before a workflow begins (L01).
  std::vector<std::string_view> folders = {};
  // A line that is added once to an existing .gitignore of the first root; empty if none.
  std::string_view ignored = {};
  // Where unreadable sessions and plans of modules are moved; empty if they stay.
  std::string_view aside = {};
};

}  // namespace holdfast::inline v1
