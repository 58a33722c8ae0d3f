#include "store/store_metrics.h"

#include "store/engine.h"
#include "store/metrics_file.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Items that wait; those that were given up are no part of it.
Result<std::uint64_t> queue_depth(const Context& context, Store& store) {
  if (find_layout(store.layout())->shape("queue_item") == nullptr) return 0;
  HOLDFAST_LET(items, store.list_records(context, {"queue_item", {}, {}}));
  std::uint64_t waiting = 0;
  for (const std::string& item : items.records) waiting += JsonView(item).find("status").is_string("failed") ? 0U : 1U;
  return waiting;
}

}  // namespace

Result<std::string> store_metrics(const Context& context, Store& store) {
  HOLDFAST_LET(files, engine_of(store));
  HOLDFAST_LET(depth, queue_depth(context, store));
  MetricsBook book = read_metrics_file(files->file_system(), files->options().metrics_file);
  if (const Observer* const observer = files->observer()) book.add(observer->unwritten());
  return book.exposition(store.name(), depth);
}

}  // namespace holdfast::inline v1
