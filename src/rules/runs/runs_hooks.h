// How runs, missions and state files take part in a store.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kRunsHooks;

}  // namespace holdfast::inline v1
