// Mending a store as a whole (decision 9: only on request or when it is opened
// for writing, never by reading).
#pragma once

#include <holdfast/store.h>

#include <vector>

namespace holdfast::inline v1 {

struct Repaired {
  std::size_t failed_runs = 0;         // whose owner was dead
  std::size_t failed_sessions = 0;     // of threads, whose owner was dead (decision 17)
  std::size_t migrated_missions = 0;   // old single files
  std::size_t indexes = 0;             // index files of the layout that are right now
  std::vector<StoreFinding> findings;  // what opening found and mended, and what could not be
};

// The store was opened for writing, so interrupted commits are finished and what
// was torn is aside already; this settles runs and missions, rebuilds the
// layout's own indexes, and tells all of it.
Result<Repaired> repair_store(const Context& context, Store& store, bool also_unowned_runs = false);

}  // namespace holdfast::inline v1
