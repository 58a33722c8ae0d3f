// How the queue takes part in a store: what is saved is queued in the same commit.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kQueueHooks;

}  // namespace holdfast::inline v1
