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

// unsafe_path when no name there can ever be changed: a link, a mount point, or
// something else than a directory is on the way to it.
Result<void> check_way(Root& root, std::string_view path);

// Applies every change, then makes all of it durable. `roots` are those of the
// journal, in its order. A name that holds neither the version before nor the
// one after was changed by somebody else: it is left alone, our version goes to
// the quarantine, and a finding of kind "conflict" says so (decision 4).
Result<void> apply_journal(const Context& context, const Journal& journal, std::span<const std::shared_ptr<Root>> roots,
                           OpenLogs& logs, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
