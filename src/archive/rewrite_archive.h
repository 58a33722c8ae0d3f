// Rewrites of a whole archive: without some sessions, or smaller. Thread-safety: as the writer's.
#pragma once

#include <functional>
#include <set>

#include "archive/archive_writer.h"

namespace holdfast::inline v1 {

// Every line and every chunk of these sessions goes; so does what the log holds beside whole captures.
Result<Rewritten> drop_sessions(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>& sessions);

// A session whose files only ever grew becomes one line, and the tail of each file one piece; chunks that no line
// names are let go. Every version that is not the beginning of a later one stays.
Result<Rewritten> compact_archive(const Context& context, ArchiveWriter& writer);

// After damaged chunks were written again: lets go of the damaged ones, so that each chunk is there once. Every line
// stays. Nothing where the log itself is damaged.
Result<void> let_healed_go(const Context& context, ArchiveWriter& writer);

// With sub-agents that were captured on their own.
std::set<CaptureKey> with_inner(const CaptureState& state, const CaptureKey& session);

}  // namespace holdfast::inline v1
