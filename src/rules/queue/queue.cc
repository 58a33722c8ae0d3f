#include "rules/queue/queue.h"

#include "layout/sync_map.h"
#include "rules/queue/queue_storage.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

Failure no_item(Store& store, std::string_view id) {
  return fail(Code::not_found, "there is no item " + std::string(id) + " in the queue", store.name());
}

Result<void> need_write(Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  if (files->options().write) return {};
  return fail(Code::invalid_argument, "the store was opened read-only", store.name());
}

// The item may change between the check and the change: check again.
Result<bool> settle_as(const Context& context, QueueStorage& book, std::string_view id, bool keep) {
  while (true) {
    HOLDFAST_TRY(context.check());
    HOLDFAST_LET(item, book.item(context, id));
    if (!item) return false;
    std::optional<SyncItem> now;
    if (keep) now = after_retry(*item, context.clock->now());
    HOLDFAST_LET(settled, book.settle(context, *item, now));
    if (settled) return true;
  }
}

}  // namespace

Result<RecordList> list_queue(const Context& context, Store& store, const QueueFilter& filter) {
  HOLDFAST_LET(book, open_queue_storage(store));
  HOLDFAST_LET(queued, book->items(context));
  RecordList list;
  list.findings = std::move(queued.findings);
  for (const SyncItem& item : queued.items) {
    if (!filter.status.empty() && item.status != filter.status) continue;
    if (!filter.entity.empty() && item.entity != filter.entity) continue;
    list.records.push_back(sync_item_json(item));
  }
  return list;
}

Result<QueueState> queue_state(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(book, open_queue_storage(store));
  HOLDFAST_LET(queued, book->items(context));
  QueueState state;
  state.enabled = files->options().sync;
  state.depth = queued.items.size();
  for (const SyncItem& item : queued.items) {
    if (item.failed()) {
      ++state.failed;
      continue;
    }
    ++state.pending;
    if (is_due(item, context.clock->now()))
      ++state.due;
    else if (state.next_attempt_at.empty() || item.next_attempt_at < state.next_attempt_at)
      state.next_attempt_at = item.next_attempt_at;
  }
  return state;
}

Result<std::uint64_t> queue_depth(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  const SyncMap* const map = files->layout().sync_map();
  // A derived queue always knows what it would send; if the queue is off, nothing is waiting.
  if (map == nullptr || (map->derived() && !files->options().sync)) return 0;
  HOLDFAST_LET(state, queue_state(context, store));
  return state.pending;
}

Result<std::size_t> retry_queue(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_TRY(need_write(store));
  HOLDFAST_LET(book, open_queue_storage(store));
  HOLDFAST_TRY(book->derive(context));
  if (!id.empty()) {
    HOLDFAST_LET(done, settle_as(context, *book, id, true));
    if (!done) return no_item(store, id);
    return std::size_t{1};
  }
  HOLDFAST_LET(queued, book->items(context));
  std::size_t count = 0;
  for (const SyncItem& item : queued.items) {
    if (!item.failed()) continue;
    HOLDFAST_LET(done, book->settle(context, item, after_retry(item, context.clock->now())));
    count += done ? 1 : 0;
  }
  return count;
}

Result<void> remove_from_queue(const Context& context, Store& store, std::string_view id) {
  HOLDFAST_TRY(need_write(store));
  HOLDFAST_LET(book, open_queue_storage(store));
  HOLDFAST_TRY(book->derive(context));
  HOLDFAST_LET(done, settle_as(context, *book, id, false));
  if (!done) return no_item(store, id);
  return {};
}

}  // namespace holdfast::inline v1
