// The storm: writers run, are killed with SIGKILL and start again, while every
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

// Returns writers with their own sessions and two that share one log; some record large
// messages, so kills hit them in the middle of a write.
std::vector<DemoWriterOptions> demo_writers(const std::string& root);

struct StormResult {
  double seconds = 0;
  std::uint64_t kills = 0;
  std::uint64_t kills_in_append = 0;  // between the start of an append and its acknowledgement
};

// Runs for `seconds`; on return, every writer is dead and every pipe was read to its
// end. Fails with cancelled if the context was stopped, or with a writer's own error if
// one gave up.
Result<StormResult> run_storm(const Context& context, const std::vector<DemoWriterOptions>& writers, double seconds,
                              Oracle& oracle, DemoProgress& progress);

}  // namespace holdfast::inline v1
