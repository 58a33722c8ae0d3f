// Old completed sessions go, so many stay (L15). Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

// The ids that prune_sessions would delete, oldest first: completed sessions
// beyond the newest `keep` of them. 0: none. Never one that is incomplete, in
// use, or marked as the latest; a session that cannot be read is no reason to stop.
Result<std::vector<std::string>> sessions_to_prune(const Context& context, Store& store, std::size_t keep);

// Deletes them, each in one commit; the ids.
Result<std::vector<std::string>> prune_sessions(const Context& context, Store& store, std::size_t keep);

}  // namespace holdfast::inline v1
