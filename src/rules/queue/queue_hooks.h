// Hooks of the queue into a store: every save is queued in the same commit.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kQueueHooks;

}  // namespace holdfast::inline v1
