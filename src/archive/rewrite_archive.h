// Rewrites a whole archive to drop sessions or to make it smaller. Thread-safety: as the writer's.
#pragma once

#include <functional>
#include <set>

#include "archive/archive_writer.h"
#include "layout/belongings.h"

namespace holdfast::inline v1 {

// Fails with corrupt if the log has damage, or captures that cannot be read. What they name is not known, so whoever
// removes chunks must ask first.
Result<void> check_captures_are_whole(const CaptureState& state);

// Removes every line and chunk of these sessions, and everything in the log that is not a whole capture.
Result<Rewritten> drop_sessions(const Context& context, ArchiveWriter& writer, const std::set<CaptureKey>& sessions);

// Drops everything in the packs that no line names, such as chunks of a capture that was interrupted. Returns true if
// there was something; then the archive must be reopened.
Result<bool> drop_loose_bytes(const Context& context, ArchiveWriter& writer);

// Turns a session whose files only ever grew into one line, with the tail of each file in one piece, and
// drops chunks that no line names. Keeps every version that is not a prefix of a later one. Fails with corrupt if not
// all captures are whole.
Result<Rewritten> compact_archive(const Context& context, ArchiveWriter& writer);

// After damaged chunks were written again, drops the damaged copies, so each chunk is stored once. Keeps
// every line. Does nothing if the log itself is damaged.
Result<void> drop_damaged_copies(const Context& context, ArchiveWriter& writer);

// Adds the list of what is forgotten to a log that never had it. Returns false if there is nothing to do, or if the log
// is damaged; otherwise nothing can be added afterwards.
Result<bool> repeat_forgotten_in_log(const Context& context, ArchiveWriter& writer);

// What set_log_damage_aside does if the chunks with a capture's list of files cannot be read.
enum class UnreadableLists {
  stay,  // nothing, because they may come back
  go,    // removes such captures, too
};

// Removes from the log everything that is not a whole capture, and captures that depend on what is lost. Keeps a copy
// of the removed bytes and every pack. Returns true if something was removed: `findings` describe it, and the archive
// must be reopened.
Result<bool> set_log_damage_aside(const Context& context, ArchiveWriter& writer, std::vector<Finding>& findings,
                                  UnreadableLists lists = UnreadableLists::stay);

// The session and its sub-agents that were captured separately.
std::set<CaptureKey> with_inner(const CaptureState& state, const CaptureKey& session);

// The paths that identify the files of a captured session.
SessionPaths captured_paths(const CaptureKey& key, const CapturedSession& session);

}  // namespace holdfast::inline v1
