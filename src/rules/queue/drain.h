// Sends what is queued and due, once through. Any number of processes may do so
// at a time: each item is sent by one of them at a time.
#pragma once

#include <holdfast/store.h>

#include "rules/queue/transport.h"

namespace holdfast::inline v1 {

struct DrainOptions {
  std::size_t limit = 0;    // items to try at most; 0: all that are due
  bool redact = false;      // secrets become placeholders in what is sent
  std::string origin = {};  // the store's name over there; empty: its own, or one made of machine and path
};

struct Drained {
  std::size_t sent = 0;
  std::size_t failed = 0;    // attempts that failed, to be tried again
  std::size_t given_up = 0;  // attempts that failed and were the last
  std::size_t withheld = 0;  // local only by now: not sent, no longer queued
  std::size_t gone = 0;      // deleted meanwhile: nothing left to tell
  std::size_t busy = 0;      // being sent by somebody else right now
  std::string reason = {};   // of the last failure
};

// Events: sync:enqueued for what a derived queue notices, sync:failed for each
// failed attempt. An error means that the store failed; a remote that fails does
// not end the round. invalid_argument while the queue is off.
Result<Drained> drain_queue(const Context& context, Store& store, Transport& transport,
                            const DrainOptions& options = {});

// The name that this store has among others.
Result<std::string> origin_of(const Context& context, Store& store);

}  // namespace holdfast::inline v1
