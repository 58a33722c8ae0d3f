// Whether somebody alive works on a run.
#pragma once

#include <holdfast/store.h>

#include "model/run.h"

namespace holdfast::inline v1 {

enum class RunOwner {
  unknown,  // nobody ever took a lease: a foreign program's run, or a script's
  alive,
  dead,
};

// busy while another living process has the lease of the run, unless it has it for that owner.
Result<void> check_run_not_owned(Store& store, std::string_view id, std::string_view owner);

// By the run's lease, else by that of its session. Changes nothing.
Result<RunOwner> owner_of_run(Store& store, const Run& run);

}  // namespace holdfast::inline v1
