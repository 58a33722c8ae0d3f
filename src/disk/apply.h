// Doing what a journal says, once or again: the one walk that a commit and its
// recovery share. Idempotent, so that a crash inside it is no special case.
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

// Applies every change, then makes all of it durable. `roots` are those of the
// journal, in its order. A name that holds neither the version before nor the
// one after was changed by somebody else: it is left alone, our version goes to
// the quarantine, and a finding of kind "conflict" says so (decision 4).
// Names come first: they can be put back (undo.h), lines cannot. With
// `left_out`, a change that the system does not permit is named there and the
// others are made.
Result<void> apply_journal(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                           OpenLogs& logs, std::vector<Finding>& findings, std::vector<Finding>* left_out = nullptr);

// Puts what a change has put, removed or linked there once more: a sync of the
// name may have failed, so only a new name can be trusted (I-7).
Result<void> renew_name(Root& root, const JournalStep& change);

// Not now, and perhaps for long, while everything around it works.
bool is_forbidden(const Error& error);

}  // namespace holdfast::inline v1
