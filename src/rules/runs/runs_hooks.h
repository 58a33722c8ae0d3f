// Hooks of runs, missions and state files into a store.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kRunsHooks;

}  // namespace holdfast::inline v1
