// Hooks of initiatives into a store: every edit must follow their status machine.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kInitiativeHooks;

}  // namespace holdfast::inline v1
