// Deletes old completed sessions and keeps a given number (L15). Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <vector>

namespace holdfast::inline v1 {

// Returns the ids that prune_sessions would delete, oldest first: completed sessions
// beyond the newest `keep` of them. If `keep` is 0, none. Never a session that is
// incomplete, in use, or marked as the latest; unreadable sessions are skipped.
Result<std::vector<std::string>> sessions_to_prune(const Context& context, Store& store, std::size_t keep);

// Deletes them, each in one commit; returns the ids.
Result<std::vector<std::string>> prune_sessions(const Context& context, Store& store, std::size_t keep);

}  // namespace holdfast::inline v1
