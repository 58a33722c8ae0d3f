// Taking a commit back of which not everything can be done, so that what was
// refused is not carried out later (I-11). Only names can be taken back: a line
// that somebody may have read stays (I-4).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "disk/journal.h"

namespace holdfast::inline v1 {

enum class Undone {
  yes,      // everything is as it was, durably, and the journal is closed
  later,    // that is decided, durably; the next owner of the lock does the rest
  no,       // something of it stays, so the rest must be done: nothing was changed
  unknown,  // the decision could not be made durable
};

// Under the locks of all roots, with the journal pending. `roots` are those of
// the journal in its order, null where one is gone (then: no).
Undone undo_commit(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots);

// The same when it has been decided before, by somebody who did not come to the end.
// What cannot be put back now does not hold up everybody else: a finding names it.
Result<void> undo_again(const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                        std::vector<Finding>& findings);

// Whether something of the change is to be seen.
Result<bool> has_begun(const Context& context, Root& root, const JournalStep& change);

// Gives one name what it held before, durably, if it holds what the change put
// there. Needs no room on the disk. False, and nothing is done: the backup does
// not hold it any more. Under the root's lock.
Result<bool> put_name_back(Root& root, const JournalStep& change);

}  // namespace holdfast::inline v1
