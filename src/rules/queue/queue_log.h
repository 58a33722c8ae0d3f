// A queue that is one append-only log, derived from the records.
#pragma once

#include "rules/queue/queue_fold.h"
#include "rules/queue/queue_storage.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

class LogQueue final : public QueueStorage {
 public:
  LogQueue(FileStore& store, const SyncMap& map) : store_(store), map_(map) {}

  Result<Items> items(const Context& context) override;
  Result<std::optional<SyncItem>> item(const Context& context, std::string_view id) override;
  Result<bool> settle(const Context& context, const SyncItem& was, const std::optional<SyncItem>& now) override;
  Result<std::vector<SyncItem>> derive(const Context& context) override;

 private:
  Result<void> catch_up(const Context& context);  // folds the lines appended since
  Result<void> append(const Context& context, std::vector<std::string> lines);

  FileStore& store_;
  const SyncMap& map_;
  QueueFold fold_;
  std::uint64_t read_ = 0;  // bytes of the log that are in fold_
  std::unique_ptr<AppendLog> log_;
};

}  // namespace holdfast::inline v1
