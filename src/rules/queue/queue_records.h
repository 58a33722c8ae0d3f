// A queue with one file per item: records of kind "queue_item".
#pragma once

#include "rules/queue/queue_storage.h"

namespace holdfast::inline v1 {

class RecordQueue final : public QueueStorage {
 public:
  explicit RecordQueue(Store& store) : store_(store) {}

  Result<Items> items(const Context& context) override;
  Result<std::optional<SyncItem>> item(const Context& context, std::string_view id) override;
  Result<bool> settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) override;
  Result<std::vector<SyncItem>> derive(const Context& context) override;

 private:
  Store& store_;
};

}  // namespace holdfast::inline v1
