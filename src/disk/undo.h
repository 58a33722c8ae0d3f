// Undoes a commit that cannot be carried out completely, so changes reported as
// refused are not made later (I-11). Only names can be undone: a line that
// somebody may have read stays (I-4).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "disk/journal.h"

namespace holdfast::inline v1 {

enum class UndoResult {
  yes,      // everything is durably as before, and the journal is closed
  later,    // the decision is durable; the next owner of the lock does the rest
  no,       // part of the commit cannot be undone, so it must be finished; nothing was changed
  unknown,  // the decision could not be made durable
};

// Requires the locks of all roots and a pending journal. `roots` are the
// journal's roots in its order, null where one is gone (then the result is no).
UndoResult undo_commit(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots);

// Continues an undo that was decided earlier by a process that did not finish it. A name
// that cannot be restored now must not block everybody else: it is reported as a finding.
Result<void> resume_undo(const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                         std::vector<Finding>& findings);

// True if some of the change is already visible.
Result<bool> is_partly_applied(const Context& context, Root& root, const JournalStep& change);

// Durably restores what a name held before, if it holds what the change put
// there. Needs no disk space. Returns false and does nothing if the backup no
// longer holds the old version. Requires the root's lock.
Result<bool> restore_name(Root& root, const JournalStep& change);

}  // namespace holdfast::inline v1
