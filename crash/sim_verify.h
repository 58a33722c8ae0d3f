// Opens a simulated disk as the next process would and holds it against what
// the oracle says was acknowledged.
#pragma once

#include <string>

#include "lab.h"
#include "sim_world.h"

namespace holdfast::lab {

enum class After {
  power_loss,    // records acknowledged as `power` must be there
  process_death  // those acknowledged as `process` too
};

// Changes the disk: it recovers, and appends a record to each log to show that
// the store can be used. `what` describes the case for a failure message.
// Failures are counted in `outcome`; true when there was none.
bool verify(SimFileSystem& disk, const Oracle& oracle, After after, std::uint64_t salt, const std::string& what,
            Outcome& outcome);

}  // namespace holdfast::lab
