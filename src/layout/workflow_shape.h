// How a layout keeps the workflow of a session (phase, step, task tree, counts)
// as a table: the rules in src/store work on it, whatever the layout.
#pragma once

#include <string_view>
#include <vector>

#include "layout/record_shape.h"

namespace holdfast::inline v1 {

struct WorkflowShape {
  // Documents in the session's folder; `path` is the name there. The fields of
  // `state`: session_id, phase, step, module, component, created_at, updated_at,
  // is_complete or status, models_used, last_task_completion_commit_sha,
  // task_hierarchy, project, resources. Of `metrics`: those of docs/formats/lopen.md.
  RecordShape state;
  RecordShape metrics;
  std::string_view history;  // folder of n.json below the session's folder
  // Directories of the first root that are made before a workflow begins (L01).
  std::vector<std::string_view> folders = {};
  // A line that an existing .gitignore of the first root gets once; empty: none.
  std::string_view ignored = {};
  // Where sessions go that cannot be read, and plans of modules; empty: they stay.
  std::string_view aside = {};
};

}  // namespace holdfast::inline v1
