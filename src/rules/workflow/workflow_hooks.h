// How workflows take part in a store: what cannot be read is set aside, drift forgets with its session.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kWorkflowHooks;

}  // namespace holdfast::inline v1
