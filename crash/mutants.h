// For the mutants: what only real processes can show. Without a lock, two of
// them take the same number or overwrite each other's version.
#pragma once

#include "lab.h"

namespace holdfast::lab {

// Forks: the caller must have no other thread. mutants_race.cc
Outcome run_race(const Options& options);

}  // namespace holdfast::lab
