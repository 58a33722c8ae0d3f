// Rewrites of a whole archive: without some sessions, or smaller. Thread-safety: as the writer's.
#pragma once

#include <functional>
#include <set>

#include "archive/archive_writer.h"
#include "layout/belongings.h"

namespace holdfast::inline v1 {

// Every line and every chunk of these sessions goes; so does what the log holds beside whole captures.
Result<Rewritten> drop_sessions(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>& sessions);

// A session whose files only ever grew becomes one line, and the tail of each file one piece; chunks that no line
// names are let go. Every version that is not the beginning of a later one stays.
Result<Rewritten> compact_archive(const Context& context, ArchiveWriter& writer);

// After damaged chunks were written again: lets go of the damaged ones, so that each chunk is there once. Every line
// stays. Nothing where the log itself is damaged.
Result<void> let_healed_go(const Context& context, ArchiveWriter& writer);

// Takes out of the log what is no whole capture, and captures that cannot be understood without those; a copy of it is
// set aside, and every pack stays as it is. True: something was, `findings` say what, and the archive is to be opened
// again. Captures whose own chunks cannot be read stay: those may come back.
Result<bool> set_log_damage_aside(const Context& context, ArchiveWriter& writer, std::vector<Finding>& findings);

// With sub-agents that were captured on their own.
std::set<CaptureKey> with_inner(const CaptureState& state, const CaptureKey& session);

// By which the files of a captured session are told from others.
SessionPaths captured_paths(const CaptureKey& key, const CapturedSession& session);

}  // namespace holdfast::inline v1
