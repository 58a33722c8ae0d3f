// Removing a session so that it can come back (decision 24): its files get second
// names in the side folder before the layout removes it. Thread-safety: as Store.
//
// Crash-safety: the trash is whole and durable before anything is removed; what a crash
// leaves in between is a session that is still there, or one that is in the trash, or both.
// Restoring can be repeated until it has succeeded. A move that was cut short is noted
// (unfinished_move.h) and ended by whoever takes the lock of the sessions next.
#pragma once

#include <holdfast/store.h>

#include <chrono>
#include <string>
#include <vector>

namespace holdfast::inline v1 {

class FileStore;

struct TrashedSession {
  std::string id, title;
  std::string removed_at;  // ISO-8601
  std::uint64_t bytes = 0;
  std::string folder;  // in the side folder
};

// busy while a living process owns it; unsupported where the layout removes nothing.
Result<void> trash_session(const Context& context, Store& store, std::string_view id);

// What could be restored, the last one first. Reads only.
Result<std::vector<TrashedSession>> trashed_sessions(const Context& context, Store& store);

// By id or an unambiguous prefix; of one that was removed twice, the last. The id.
// already_exists when something else has taken its place by now.
Result<std::string> restore_session(const Context& context, Store& store, std::string_view id);

// Removed for good, trash or not.
Result<void> delete_session(const Context& context, Store& store, std::string_view id);

// What was on its way when its process died, or a sync failed: whatever is partly in its place comes back, all of it.
// What cannot be done now is left to the next one. For holders of the lock of the sessions, exclusive.
void settle_trash(const Context& context, FileStore& engine);
// `unfinished` for a session of which that is true: nothing of it may be changed.
Result<void> check_whole(FileStore& engine, std::string_view id);

// Those that were removed before `then`: gone for good, and with them, later, the large
// texts that only they had (blob_collection.h). How many sessions.
Result<std::size_t> empty_trash(const Context& context, Store& store, std::chrono::system_clock::time_point then);

}  // namespace holdfast::inline v1
