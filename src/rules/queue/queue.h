// The sync queue as people and programs see it (seed 004): what is waiting to be
// told to a remote, what failed, and what to do about it. Sending is drain.h.
// The same on every layout that has a queue. Durable (power) when a call that
// writes returns. Thread-safety: as Store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct QueueFilter {
  std::string status;  // "pending", "failed"; empty: all
  std::string entity;  // "thread", "session", "message"; empty: all
};

// Oldest first, natively sessions before their messages. Writes nothing.
Result<RecordList> list_queue(const Context& context, Store& store, const QueueFilter& filter = {});

struct QueueState {
  bool enabled = false;
  std::size_t depth = 0;  // pending and failed
  std::size_t pending = 0;
  std::size_t due = 0;  // of those, now
  std::size_t failed = 0;
  std::string next_attempt_at;  // the earliest of those that are not due; empty: none
};
Result<QueueState> queue_state(const Context& context, Store& store);
// Items that wait; 0 where there is no queue, or it is off.
Result<std::uint64_t> queue_depth(const Context& context, Store& store);

// Failed items become pending and due again; how many. With an id only that one,
// whatever its state: not_found when there is none.
Result<std::size_t> retry_queue(const Context& context, Store& store, std::string_view id);

// Takes an item out without sending it: not_found when there is none.
Result<void> remove_from_queue(const Context& context, Store& store, std::string_view id);

}  // namespace holdfast::inline v1
