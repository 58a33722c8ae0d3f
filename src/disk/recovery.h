// What the next owner of a root's lock does about a commit whose owner died.
#pragma once

#include <optional>
#include <vector>

#include "disk/journal.h"

namespace holdfast::inline v1 {

// Under the lock of `root`. Finishes or discards what its journal says. When
// that is only a pointer to a journal that is pending in another root: returns
// that root, whose lock comes first; release the lock, call recover_home, begin
// again. nullopt: nothing is pending any more.
Result<std::optional<JournalRoot>> recover_commit(const Context& context, Root& root, std::vector<Finding>& findings);

// Without any lock.
Result<void> recover_home(const Context& context, Root& root, const JournalRoot& home);

}  // namespace holdfast::inline v1
