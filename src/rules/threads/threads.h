// Threads: conversations that continue across sessions, one for each project path
// (M01). For every layout with threads; docs/guides/maestro.md.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/thread.h"
#include "store/owner_claim.h"
#include "store/typed_records.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct CreatedThread {
  Thread thread;
  bool created = false;  // false: the project had one already
};
// Returns the thread of a project, created if there is none; without a project, always creates one. An empty
// id is generated; with an id, fails with already_exists if it is taken or the project has another thread.
Result<CreatedThread> create_thread(const Context& context, Store& store, Thread draft);

// Pinned ones first, then the newest. Reads the threads themselves, never an index.
Result<Listed<Thread>> list_threads(const Context& context, Store& store);
Result<Thread> get_thread(const Context& context, Store& store, std::string_view id);

// Creates or changes a thread; fields that are not given stay, and updated_at is set if
// anything changed. Also accepts the seed's camelCase names. Fails with already_exists if
// its new project has another thread.
Result<Thread> save_thread(const Context& context, Store& store, JsonView thread);

struct ThreadDeletion {
  std::size_t sessions = 0;
  std::size_t messages = 0;
};
// Deletes a thread with its sessions and messages. Fails with busy while a living process other than the one that
// `claim` describes owns one of the sessions. Their leases are the caller's to release.
Result<ThreadDeletion> delete_thread(const Context& context, Store& store, std::string_view id,
                                     const OwnerClaim& claim = {});
// Returns the ids of its sessions.
Result<std::vector<std::string>> sessions_of_thread(const Context& context, Store& store, std::string_view id);
// Returns what delete_thread would delete, even if sessions are in use.
Result<ThreadDeletion> preview_thread_deletion(const Context& context, Store& store, std::string_view id);

struct ThreadMessage {
  std::string session;
  Message message;
};
struct ThreadTranscript {
  std::vector<ThreadMessage> messages;  // of all sessions, by time
  std::vector<Finding> findings;
};
// `raw`: fill in Message::raw.
Result<ThreadTranscript> read_thread(const Context& context, Store& store, std::string_view id, bool raw = false);

}  // namespace holdfast::inline v1
