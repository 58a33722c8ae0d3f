// Mending a store as a whole: only on request or when it is opened for writing,
// never by reading. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <map>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

struct RepairOptions {
  bool unowned_runs = false;  // also fail runs of which nobody knows an owner
};

struct Repaired {
  std::map<std::string, std::size_t, std::less<>> counts;  // by feature: "failed_runs", "indexes", ...
  std::vector<Finding> findings;                           // what opening found and mended, and what could not be
};

// The store was opened for writing, so interrupted commits are finished and what
// was torn is aside already; this lets the features mend theirs, rebuilds the
// layout's own indexes, and tells all of it.
Result<Repaired> repair_store(const Context& context, Store& store, const RepairOptions& options = {});

}  // namespace holdfast::inline v1
