// What the next owner of a root's lock does about a commit whose owner died.
#pragma once

#include <optional>
#include <vector>

#include "disk/journal.h"

namespace holdfast::inline v1 {

// Requires the lock of `root`. Finishes or discards the commit in its journal.
// If the journal is only a pointer to one that is pending in another root,
// returns that root, whose lock comes first: release the lock, call
// recover_home, start over. Returns nullopt when nothing is pending any more.
Result<std::optional<JournalRoot>> recover_commit(const Context& context, Root& root, std::vector<Finding>& findings);

// Must be called without holding any lock.
Result<void> recover_home(const Context& context, Root& root, const JournalRoot& home);

}  // namespace holdfast::inline v1
