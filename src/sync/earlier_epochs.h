// Forgetting in earlier epochs of this device in which nothing more can be published, because they are damaged or were
// erased. Machines may have read them, so the current epoch says what is forgotten there.
// Crash-safety: documents of the SyncHome; what is not noted as told is told again, which does no harm.
// Thread-safety: one thread; the SyncHome is locked.
#pragma once

#include <map>
#include <set>
#include <string>

#include "sync/content.h"
#include "sync/shared_sessions.h"
#include "sync/sync_home.h"

namespace holdfast::inline v1 {

// All sessions that this home has published in an epoch, by drop_name(), whether or not they were withdrawn. `where` is
// the name of the epoch in the SyncHome.
Result<std::set<std::string>> names_published_in(const Context& context, const SyncHome& home, const std::string& where,
                                                 std::uint64_t epoch);

// Ends the epoch of `stream`, and begins the next one. What was published and what is still to be erased in it stays
// known. `on_the_way`: chunks that may have been stored for a segment that was not published.
Result<void> leave_epoch(const Context& context, const SyncHome& home, const std::string& remote, OwnStream& stream,
                         std::uint64_t next, const std::set<std::string>& on_the_way);

// A new epoch begins: these names are also in earlier epochs, and nothing was told in this one.
Result<void> save_earlier_names(const Context& context, const SyncHome& home, const std::string& remote,
                                std::set<std::string> names);
Result<std::set<std::string>> earlier_names(const Context& context, const SyncHome& home, const std::string& remote);

// Whether lines of it are forgotten. What was published of it earlier may have them.
bool has_lost_lines(const CapturedSession& session);

// By drop_name(): the epochs, of those in `stuck`, in which a session is still to be forgotten. It was published in an
// earlier epoch, and is forgotten now (`forgotten`) or has lost lines. `again`: also what was told already.
Result<std::map<std::string, std::set<std::uint64_t>>> still_to_forget(const Context& context, const SyncHome& home,
                                                                       const std::string& remote,
                                                                       const std::set<std::uint64_t>& stuck,
                                                                       const std::set<CaptureKey>& forgotten,
                                                                       const SharedSessions& shared, bool again);

// The remote has a segment with this content.
Result<void> note_forgotten_earlier(const Context& context, const SyncHome& home, const std::string& remote,
                                    const SegmentContent& content);

}  // namespace holdfast::inline v1
