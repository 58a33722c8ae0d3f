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

// By the run's lease, else by that of its session. Changes nothing.
Result<RunOwner> owner_of_run(Store& store, const Run& run);

}  // namespace holdfast::inline v1
