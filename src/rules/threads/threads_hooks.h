// Hooks of threads into a store: repair ends sessions whose owner is dead.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kThreadsHooks;

}  // namespace holdfast::inline v1
