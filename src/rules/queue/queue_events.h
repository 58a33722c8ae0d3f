// What the queue tells: events for subscribers of this process (M12), log lines
// and counters for operators (M14, M15). Ids, codes and counts; never a payload.
#pragma once

#include <string_view>

#include "rules/queue/sync_item.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// sync:enqueued {entity, entityId, op}; the log's sync.enqueue.
void tell_enqueued(const Context& context, FileStore& store, const SyncItem& item);

// The log's sync.attempt, and sync_attempts_total.
void note_attempt(const Context& context, FileStore& store, const SyncItem& item);

// sync:failed {itemId, code, attempts} of the item after the attempt; the log's sync.fail.
void tell_failed(const Context& context, FileStore& store, const SyncItem& item);

}  // namespace holdfast::inline v1
