// What only real processes can show, for the mutants: without a lock, two that
// do the same at once take the same number or overwrite each other's version.
#pragma once

#include "lab.h"

namespace holdfast::lab {

// Forks: the caller has no other thread. mutants_race.cc
Outcome run_race(const Options& options);

}  // namespace holdfast::lab
