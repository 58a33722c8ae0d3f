// Where the items of a sync queue are stored: one file per record, or a log that is
// derived from what is recorded (decision 22). The rules above are the same for both.
// Durable (power) when a call that writes returns.
// Thread-safety: one thread per object; any number of objects and processes.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

class QueueStorage {
 public:
  virtual ~QueueStorage() = default;

  struct Items {
    std::vector<SyncItem> items;  // oldest first
    std::vector<Finding> findings;
  };
  // Returns what is queued; for a derived queue, including what the next derive() will
  // add. Writes nothing.
  virtual Result<Items> items(const Context& context) = 0;
  virtual Result<std::optional<SyncItem>> item(const Context& context, std::string_view id) = 0;

  // Replaces the item `was` with `now`, or removes it if that is nullopt. Returns false
  // and writes nothing if its intent has changed: the subject was saved meanwhile.
  virtual Result<bool> settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) = 0;

  // Queues what is recorded but not yet queued, and returns those items. Does nothing
  // for a queue whose items are created in the commit of the change.
  virtual Result<std::vector<SyncItem>> derive(const Context& context) = 0;
};

// Fails with unsupported for a layout without a queue. The store must outlive the book.
Result<std::unique_ptr<QueueStorage>> open_queue_storage(Store& store);
// Returns the layout's map; fails with unsupported if it has none.
Result<const SyncMap*> sync_map_of(Store& store);

}  // namespace holdfast::inline v1
