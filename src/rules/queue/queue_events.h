// What the queue reports: events for subscribers of this process (M12), log lines and
// counters for operators (M14, M15). Contains ids, codes and counts; never a payload.
#pragma once

#include <string_view>

#include "rules/queue/sync_item.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// Emits sync:enqueued {entity, entityId, op}; logs sync.enqueue.
void report_enqueued(const Context& context, FileStore& store, const SyncItem& item);

// Logs sync.attempt and counts sync_attempts_total.
void note_attempt(const Context& context, FileStore& store, const SyncItem& item);

// Emits sync:failed {itemId, code, attempts} with the item after the attempt; logs sync.fail.
void tell_failed(const Context& context, FileStore& store, const SyncItem& item);

}  // namespace holdfast::inline v1
