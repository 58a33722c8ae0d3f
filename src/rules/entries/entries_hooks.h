// Hooks of entries into a store: their logs are verified with the rest.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kEntriesHooks;

}  // namespace holdfast::inline v1
