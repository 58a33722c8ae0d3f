// Repairs a whole store: only on request or when it is opened for writing,
// never by reading. Thread-safety: that of Store.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct RepairOptions {
  bool unowned_runs = false;  // also fail runs without a known owner
};

struct Repaired {
  std::map<std::string, std::size_t, std::less<>> counts;  // by feature: "failed_runs", "indexes", ...
  std::vector<Finding> findings;  // what opening found and repaired, and what could not be repaired
};

// The store must be open for writing, so interrupted commits are already
// finished and torn data is already aside. Lets the features repair their own
// data, rebuilds the layout's own indexes, and reports all of it.
Result<Repaired> repair_store(const Context& context, Store& store, const RepairOptions& options = {});

}  // namespace holdfast::inline v1
