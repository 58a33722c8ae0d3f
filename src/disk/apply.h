// Carries out a journal, for the first time or again. Commit and recovery share
// this code. It is idempotent, so a crash in the middle needs no special case.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "disk/journal.h"
#include "disk/log_file.h"

namespace holdfast::inline v1 {

// Logs that stay open from the preparation of a commit to its last sync.
using OpenLogs = std::map<std::pair<std::size_t, std::string>, LogFile>;

// Applies every change, then makes all of it durable. `roots` are the journal's
// roots, in its order. A name that holds neither the old nor the new version
// was changed by somebody else: apply leaves it alone, moves our version to the
// quarantine and adds a finding of kind "conflict" (decision 4). Names are
// changed before lines are appended, because a name can be restored (undo.h)
// and a line cannot. With `left_out`, a change that the system does not permit
// is listed there and the others are still made.
Result<void> apply_journal(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                           OpenLogs& logs, std::vector<Finding>& findings, std::vector<Finding>* left_out = nullptr);

// Repeats a change of a name (put, remove or symlink) that is already in place: a sync
// of the name may have failed, so only a new directory operation can be trusted (I-7).
Result<void> repeat_name_change(Root& root, const JournalStep& change);

// True for errors that may last, although everything else works: permission_denied and read_only.
bool is_forbidden(const Error& error);

}  // namespace holdfast::inline v1
