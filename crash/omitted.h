// The step of the library that this process leaves out (T13); Step::count:
// none. In a build without the switches nothing can be left out.
#pragma once

#include "disk/steps.h"

namespace holdfast::lab {

inline Step omitted_here() {
#ifdef HOLDFAST_LAB
  return omitted_step.load();
#else
  return Step::count;
#endif
}

inline void leave_out([[maybe_unused]] Step step) {
#ifdef HOLDFAST_LAB
  omitted_step.store(step);
#endif
}

}  // namespace holdfast::lab
