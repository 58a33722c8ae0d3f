// The storm: writers live, are killed with SIGKILL, and live again, while every
// acknowledgement goes to the oracle.
#pragma once

#include <holdfast/context.h>

#include <cstdint>
#include <string>
#include <vector>

#include "demo/oracle.h"
#include "demo/progress.h"
#include "demo/writer.h"

namespace holdfast::inline v1 {

// Sessions of their own and one log that two writers share; some of the writers
// record large messages, so that kills meet them in the middle of a write.
std::vector<DemoWriterOptions> demo_writers(const std::string& root);

struct StormResult {
  double seconds = 0;
  std::uint64_t kills = 0;
  std::uint64_t kills_in_append = 0;  // between the start of an append and its acknowledgement
};

// Runs for `seconds`; every writer is dead and every pipe read to its end when it
// returns. cancelled when the context was stopped; a writer's own error when one
// gave up.
Result<StormResult> run_storm(const Context& context, const std::vector<DemoWriterOptions>& writers, double seconds,
                              Oracle& oracle, DemoProgress& progress);

}  // namespace holdfast::inline v1
