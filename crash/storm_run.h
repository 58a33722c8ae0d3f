// One storm on one set of stores, from the first child to the last check.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab.h"
#include "omitted.h"
#include "storm_oracle.h"

namespace holdfast::lab {

enum class StormKind {
  logs,    // two logs, a foreign writer, readers, and a process that replaces the file
  stores,  // documents, commits, counters, leases
  mixed,   // some of each
};

struct StormRound {
  std::string program;
  std::string directory;  // must be empty; on any file system
  std::uint64_t seed = 1;
  std::uint64_t kills = 0;
  StormKind weather = StormKind::mixed;
  Step omitted = Step::count;  // also by the children
  std::string where;           // how to replay it, for failures
};

struct StormResult {
  Outcome outcome;
  std::vector<std::unique_ptr<LogOracle>> logs;  // "ours.jsonl", then "shared.jsonl"
};

StormResult run_round(const StormRound& round);

}  // namespace holdfast::lab
