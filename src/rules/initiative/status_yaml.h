// WORKFLOW-STATUS.yaml in both of its shapes:
//   (a) active{initiative, milestone, phase, status}, sessions[], resume{next_action, context_files}, lastUpdated
//   (b) workflow, current_step, total_steps, started, steps[{name, status}]
// New ones are (a). An edit changes the values that are named and no other byte.
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
// corrupt when it is no YAML mapping.
Result<StatusFacts> read_status(std::string_view yaml);

struct StatusChange {
  std::string initiative = {};                // of a new file
  std::optional<std::string> milestone = {};  // the current one
  std::optional<std::string> status = {};     // of the initiative
  std::optional<std::string> next_action = {};
  std::string step = {}, step_status = {};  // shape (b): the step of that name, and what it is now
  std::string now = {};                     // ISO-8601
};
Result<std::string> new_status(const StatusChange& change);
// Of shape (b) only what it has: the step of the milestone's name, and status and
// lastUpdated where the keys are there; without any of these, the same bytes.
Result<std::string> update_status(std::string_view yaml, const StatusChange& change);

}  // namespace holdfast::inline v1
