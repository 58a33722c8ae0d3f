#include "rules/queue/queue_hooks.h"

#include "layout/change.h"
#include "rules/queue/enqueue.h"
#include "rules/queue/queue_events.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {
namespace {

Result<std::function<void()>> enqueue(const Context& context, FileStore& store, DirectoryFeed& feed, Changes& changes) {
  if (!store.options().sync) return nullptr;
  HOLDFAST_LET(items, add_queue_items(store.layout(), feed, changes, store.moment(context)));
  if (items.empty()) return nullptr;
  return [&context, &store, items = std::move(items)] {
    for (const SyncItem& item : items) report_enqueued(context, store, item);
  };
}

}  // namespace

const Hooks kQueueHooks = {.changing = enqueue};

}  // namespace holdfast::inline v1
