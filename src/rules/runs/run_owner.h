// Whether a living process works on a run.
#pragma once

#include <holdfast/store.h>

#include "model/run.h"

namespace holdfast::inline v1 {

enum class RunOwner {
  unknown,  // no lease was ever taken: a run of another program or of a script
  alive,
  dead,
};

// Determined by the run's lease, else by that of its session. Changes nothing.
Result<RunOwner> owner_of_run(Store& store, const Run& run);

}  // namespace holdfast::inline v1
