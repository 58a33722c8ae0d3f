// How initiatives take part in a store: nobody walks around their life.
#pragma once

#include "store/hooks.h"

namespace holdfast::inline v1 {

extern const Hooks kInitiativeHooks;

}  // namespace holdfast::inline v1
