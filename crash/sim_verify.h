// Opens a simulated disk as the next process would and compares it with what the oracle knows to be acknowledged.
#pragma once

#include <string>

#include "lab.h"
#include "sim_world.h"

namespace holdfast::lab {

enum class After {
  power_loss,    // records acknowledged as `power` must be there
  process_death  // those acknowledged as `process` too
};

// Changes the disk: recovers, and appends a record to each log to show that the
// store is usable. `what` describes the case in failure messages. Counts
// failures in `outcome`; returns true if there were none.
bool verify(SimFileSystem& disk, const Oracle& oracle, After after, std::uint64_t salt, const std::string& what,
            Outcome& outcome);

}  // namespace holdfast::lab
