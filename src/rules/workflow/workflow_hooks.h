// Hooks of workflows into a store: unreadable files are set aside, and drift data is removed with its session.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kWorkflowHooks;

}  // namespace holdfast::inline v1
