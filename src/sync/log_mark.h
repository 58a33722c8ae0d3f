// Whether the logs that sync keeps, of what was published here and of what other devices published, are still what they
// were. Each line has a checksum, but lines can be missing without a trace, so how far this home is with a stream
// (stream.json, a cursor) is saved together with a mark of the log.
// Crash-safety: a log that is longer than its mark is whole, because lines are durable before the mark. While a log is
// rewritten it has no mark.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <functional>

#include "archive/capture.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// Whether the log of the archive at `path` begins with what was marked. Without a mark (an older Holdfast made none, or
// a rewrite was interrupted): whether nothing in it is damaged, and it is there if it is `expected`.
Result<bool> is_log_whole(const Context& context, const SyncHome& home, const std::string& path,
                          const std::optional<LogMark>& mark, bool expected);

// The mark of the log as it is now. `before`: one that it still begins with.
Result<LogMark> mark_log(const SyncHome& home, const std::string& path, const std::optional<LogMark>& before);

// Calls `rewrite`, which replaces the log of an epoch of this device, or of a stream of another one. If the log was not
// whole before, the next sync still notices. `where` is the name of the epoch in the SyncHome.
using RewriteLog = std::function<Result<void>()>;
Result<void> rewrite_published(const Context& context, const SyncHome& home, const std::string& where,
                               std::uint64_t epoch, const RewriteLog& rewrite);
Result<void> rewrite_from(const Context& context, const SyncHome& home, const std::string& remote,
                          const StreamId& stream, const RewriteLog& rewrite);

// Prepares an archive whose log is not whole for reading its stream again from the beginning: drops what is damaged,
// and sessions that are not whole, unless they are last copies. Chunks stay.
Result<void> drop_broken_sessions(const Context& context, const SyncHome& home, const std::string& path,
                                  const std::function<bool(const CaptureKey& key)>& is_last_copy);

}  // namespace holdfast::inline v1
