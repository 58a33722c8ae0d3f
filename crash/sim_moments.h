// What processes can do to each other beside logs and documents: parts of T5.
#pragma once

#include "lab.h"

namespace holdfast::lab {

void run_leases(Outcome& outcome);   // sim_leases.cc
void run_heads(Outcome& outcome);    // sim_heads.cc: first lines of shared logs
void run_planted(Outcome& outcome);  // sim_planted.cc: what others put there or took away

}  // namespace holdfast::lab
