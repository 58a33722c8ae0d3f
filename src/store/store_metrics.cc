#include "store/store_metrics.h"

#include "layout/sync_map.h"
#include "store/engine.h"
#include "store/metrics_file.h"
#include "store/queue.h"

namespace holdfast::inline v1 {
namespace {

// Items that wait; those that were given up are no part of it.
Result<std::uint64_t> queue_depth(const Context& context, const FileStore& files, Store& store) {
  const SyncMap* const map = find_layout(store.layout())->sync_map();
  // A derived queue always knows what it would send; with the queue off nothing waits for that.
  if (map == nullptr || (map->derived() && !files.options().sync)) return 0;
  HOLDFAST_LET(state, queue_state(context, store));
  return state.pending;
}

}  // namespace

Result<std::string> store_metrics(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(depth, queue_depth(context, *files, store));
  MetricsBook book = read_metrics_file(files->file_system(), files->options().metrics_file);
  if (const Observer* const observer = files->observer()) book.add(observer->unwritten());
  return book.exposition(store.name(), depth);
}

}  // namespace holdfast::inline v1
