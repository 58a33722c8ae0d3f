// Where the items of a sync queue lie: records in files of their own, or a log
// that is derived from what is recorded (decision 22). The rules above it are
// the same for both. Durable (power) when a call that writes returns.
// Thread-safety: one thread an object; any number of objects and processes.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/queue/sync_item.h"

namespace holdfast::inline v1 {

class QueueBook {
 public:
  virtual ~QueueBook() = default;

  struct Items {
    std::vector<SyncItem> items;  // oldest first
    std::vector<Finding> findings;
  };
  // What is queued; of a derived queue, also what will be at the next derive().
  // Writes nothing.
  virtual Result<Items> items(const Context& context) = 0;
  virtual Result<std::optional<SyncItem>> item(const Context& context, std::string_view id) = 0;

  // Writes what became of an item; nullopt: it goes. False, and nothing is
  // written, when it is no longer the same intent: somebody saved meanwhile.
  virtual Result<bool> settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) = 0;

  // Queues what is recorded and not yet queued; those items. Nothing for a
  // queue whose items are made in the commit of what they tell of.
  virtual Result<std::vector<SyncItem>> derive(const Context& context) = 0;
};

// unsupported for a layout without a queue. The store outlives the book.
Result<std::unique_ptr<QueueBook>> open_queue_book(Store& store);
// As the map, or unsupported.
Result<const SyncMap*> sync_map_of(Store& store);

}  // namespace holdfast::inline v1
