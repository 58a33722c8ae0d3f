// The sync queue for people and programs (seed 004): what is waiting to be sent to a
// remote, what failed, and what to do about it. drain.h sends it. The same on every
// layout that has a queue. Durable (power) when a call that writes returns.
// Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct QueueFilter {
  std::string status;  // "pending", "failed"; empty: all
  std::string entity;  // "thread", "session", "message"; empty: all
};

// Oldest first; in the native layout, sessions before their messages. Writes nothing.
Result<RecordList> list_queue(const Context& context, Store& store, const QueueFilter& filter = {});

struct QueueState {
  bool enabled = false;
  std::size_t depth = 0;  // pending and failed
  std::size_t pending = 0;
  std::size_t due = 0;  // pending ones that are due now
  std::size_t failed = 0;
  std::string next_attempt_at;  // earliest time of those that are not due; empty if none
};
Result<QueueState> queue_state(const Context& context, Store& store);
// Returns the number of waiting items; 0 if there is no queue, or it is off.
Result<std::uint64_t> queue_depth(const Context& context, Store& store);

// Makes failed items pending and due again; returns how many. With an id, only that
// item, whatever its status; not_found if there is none.
Result<std::size_t> retry_queue(const Context& context, Store& store, std::string_view id);

// Removes an item without sending it. Fails with not_found if there is none.
Result<void> remove_from_queue(const Context& context, Store& store, std::string_view id);

}  // namespace holdfast::inline v1
