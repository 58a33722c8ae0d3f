// Threads: conversations that go on across sessions, one for each project path
// (M01). On every layout that has the shape; docs/guides/maestro.md.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/thread.h"
#include "store/typed_records.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

struct ThreadMade {
  Thread thread;
  bool created = false;  // false: the project has it already
};
// The thread of a project, made when there is none; without a project always a new one.
// An empty id is made; with one, already_exists when there is such a thread or the project has another.
Result<ThreadMade> create_thread(const Context& context, Store& store, Thread draft);

// Pinned ones first, then the newest. From the threads themselves, whatever an index says.
Result<Listed<Thread>> list_threads(const Context& context, Store& store);
Result<Thread> get_thread(const Context& context, Store& store, std::string_view id);

// Makes or changes a thread; fields that it does not name stay, updated_at is set
// when anything changed. The seed's camelCase names are taken too. already_exists when it is
// to get a project that has another thread.
Result<Thread> save_thread(const Context& context, Store& store, JsonView thread);

struct ThreadGone {
  std::size_t sessions = 0;
  std::size_t messages = 0;
};
// With its sessions and messages. busy while one of the sessions is alive.
Result<ThreadGone> delete_thread(const Context& context, Store& store, std::string_view id);
// The ids of its sessions.
Result<std::vector<std::string>> sessions_of_thread(const Context& context, Store& store, std::string_view id);
// What would go, whoever has its sessions.
Result<ThreadGone> look_at_thread(const Context& context, Store& store, std::string_view id);

struct ThreadMessage {
  std::string session;
  Message message;
};
struct ThreadTranscript {
  std::vector<ThreadMessage> messages;  // by time, of all sessions
  std::vector<Finding> findings;
};
// `raw`: with Message::raw.
Result<ThreadTranscript> read_thread(const Context& context, Store& store, std::string_view id, bool raw = false);

}  // namespace holdfast::inline v1
