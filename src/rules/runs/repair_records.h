// Repairs of a store's records (decision 9: never on reading).
#pragma once

#include <holdfast/store.h>

#include <vector>

namespace holdfast::inline v1 {

struct RecordRepairs {
  std::size_t failed_runs = 0;        // runs whose owner was dead
  std::size_t migrated_missions = 0;  // old single files
  std::vector<Finding> findings;
};

// `also_unowned`: see fail_dead_runs. Does nothing on layouts without runs or missions.
Result<RecordRepairs> repair_records(const Context& context, Store& store, bool also_unowned = false);

// Returns {"pid", "pid_file", "log_file", "log_bytes"} for a program that keeps its daemon's files in
// the store (Linggen: ling.pid, ling.log), which Holdfast never touches; "{}" if there are none.
Result<std::string> daemon_files(const Context& context, Store& store);

}  // namespace holdfast::inline v1
