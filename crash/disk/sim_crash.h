// Computes what is on the disk after a power loss, by the rules of enum CrashModel.
#pragma once

#include "crash/disk/sim_chooser.h"
#include "crash/disk/sim_state.h"

namespace holdfast::inline v1 {

// The disk as the next boot finds it. Changes `state` only by caching work for
// the next call. For each question, the first choice is "did not survive".
SimState crash_state(SimState& state, CrashModel model, Chooser& chooser);

}  // namespace holdfast::inline v1
