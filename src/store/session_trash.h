// Removes a session so that it can be restored (decision 24): its files get second
// names in the side folder before the layout removes it. Thread-safety: that of Store.
//
// Crash-safety: the trash is complete and durable before anything is removed; after a
// crash, the session is still there, or in the trash, or both. Restoring can be repeated
// until it has succeeded. A move that was interrupted is noted (unfinished_move.h) and
// finished by whoever takes the sessions lock next.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <string>
#include <vector>

#include "store/owner_claim.h"

namespace holdfast::inline v1 {

class FileStore;

struct TrashedSession {
  std::string id, title;
  std::string removed_at;  // ISO-8601
  std::uint64_t bytes = 0;
  std::string folder;  // path in the side folder
};

// Fails with busy while a living process other than the one that `claim` describes owns the session; with unsupported
// if the layout cannot remove sessions. The lease is the caller's to release.
Result<void> trash_session(const Context& context, Store& store, std::string_view id, const OwnerClaim& claim = {});

// Sessions that can be restored, last removed first. Reads only.
Result<std::vector<TrashedSession>> trashed_sessions(const Context& context, Store& store);

// `id` is an id or an unambiguous prefix; if the session was removed twice, restores the
// last one. Returns the id. Fails with already_exists if something else has taken its place.
Result<std::string> restore_session(const Context& context, Store& store, std::string_view id);

// Removes a session permanently, bypassing the trash. Otherwise like trash_session.
Result<void> delete_session(const Context& context, Store& store, std::string_view id, const OwnerClaim& claim = {});

// Finishes moves that were interrupted when their process died or a sync failed: a session that is partly in its place
// is restored completely. What cannot be done now is left to the next caller. Requires the exclusive sessions lock.
void settle_trash(const Context& context, FileStore& engine);
// Fails with unfinished for a session whose move is not finished: nothing of it may be changed.
Result<void> check_move_finished(FileStore& engine, std::string_view id);

// Permanently deletes sessions that were removed before `then` and, later, the large
// texts that only they used (blob_collection.h). Returns the number of sessions.
Result<std::size_t> empty_trash(const Context& context, Store& store, std::chrono::system_clock::time_point then);

}  // namespace holdfast::inline v1
