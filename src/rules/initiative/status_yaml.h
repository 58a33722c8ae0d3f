// WORKFLOW-STATUS.yaml in both of its shapes:
//   (a) active{initiative, milestone, phase, status}, sessions[], resume{next_action, context_files}, lastUpdated
//   (b) workflow, current_step, total_steps, started, steps[{name, status}]
// New files have shape (a). An edit changes the named values and no other byte.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct StatusFacts {
  bool steps = false;  // shape (b)
  std::string initiative, milestone, phase, status, last_updated, next_action;
};
// Fails with corrupt if it is not a YAML mapping.
Result<StatusFacts> read_status(std::string_view yaml);

struct StatusChange {
  std::string initiative = {};                // for a new file
  std::optional<std::string> milestone = {};  // the current one
  std::optional<std::string> status = {};     // of the initiative
  std::optional<std::string> next_action = {};
  std::string step = {}, step_status = {};  // shape (b): name of a step, and its new status
  std::string now = {};                     // ISO-8601
};
Result<std::string> new_status(const StatusChange& change);
// In shape (b), changes only what the file has: the step named like the milestone, and
// status and lastUpdated if those keys exist; otherwise returns the same bytes.
Result<std::string> update_status(std::string_view yaml, const StatusChange& change);

}  // namespace holdfast::inline v1
