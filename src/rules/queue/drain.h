// Sends the queued items that are due, in one pass. Any number of processes may do so
// concurrently: each item is sent by one process at a time.
#pragma once

#include <holdfast/store.h>

#include "rules/queue/transport.h"

namespace holdfast::inline v1 {

struct DrainOptions {
  std::size_t limit = 0;    // maximum number of items to try; 0: all that are due
  bool redact = false;      // replace secrets with placeholders in what is sent
  std::string origin = {};  // the store's name on the other side; empty: its own, or one made of machine and path
};

struct DrainResult {
  std::size_t sent = 0;
  std::size_t failed = 0;    // failed attempts that will be repeated
  std::size_t given_up = 0;  // failed attempts that were the last
  std::size_t withheld = 0;  // now local only: not sent and no longer queued
  std::size_t gone = 0;      // deleted meanwhile: nothing to send
  std::size_t busy = 0;      // currently being sent by another process
  std::string reason = {};   // of the last failure
};

// Emits sync:enqueued for items that a derived queue adds, and sync:failed for each
// failed attempt. Returns an error if the store fails; a failing remote does not end
// the pass. Fails with invalid_argument while the queue is off.
Result<DrainResult> drain_queue(const Context& context, Store& store, Transport& transport,
                                const DrainOptions& options = {});

// Returns the name of this store among other stores.
Result<std::string> origin_of(const Context& context, Store& store);

}  // namespace holdfast::inline v1
