#include "store/store_metrics.h"

#include "store/engine.h"
#include "store/metrics_file.h"

namespace holdfast::inline v1 {
Result<std::string> store_metrics(Store& store, std::uint64_t queue_depth) {
  HOLDFAST_LET(files, engine_of(store));
  MetricsBook book = read_metrics_file(files->file_system(), files->options().metrics_file);
  if (const Observer* const observer = files->observer()) book.add(observer->unwritten());
  return book.exposition(store.name(), queue_depth);
}

}  // namespace holdfast::inline v1
