// What is on the disk after power loss, by the rules of enum CrashModel.
#pragma once

#include "crash/disk/sim_chooser.h"
#include "crash/disk/sim_state.h"

namespace holdfast::inline v1 {

// The disk as the next boot finds it. `state` stays as it was, but for work that
// it keeps for the next call. The first choice of each is "did not survive".
SimState crash_state(SimState& state, CrashModel model, Chooser& chooser);

}  // namespace holdfast::inline v1
