// The right to plan and make edits of a store's records, across threads and
// processes. Documents that an edit changes are compared by revision anyway; the
// lock is for rules about records that an edit only reads, or that do not exist
// yet ("one mission is active"). Released on destruction.
#pragma once

#include <holdfast/root.h>

#include <memory>

#include "base/lock_rank.h"

namespace holdfast::inline v1 {

class RecordLock {
 public:
  RecordLock() = default;  // holds nothing
  RecordLock(RankHold rank, std::unique_ptr<File> file) : rank_(std::move(rank)), file_(std::move(file)) {}
  RecordLock(RecordLock&&) noexcept = default;
  RecordLock& operator=(RecordLock&& other) noexcept {
    reset();
    rank_ = std::move(other.rank_);
    file_ = std::move(other.file_);
    return *this;
  }
  ~RecordLock() { reset(); }
  void reset() noexcept {
    file_.reset();
    rank_.drop();
    run_deferred_work();
  }

 private:
  RankHold rank_;
  std::unique_ptr<File> file_;
};

Result<RecordLock> lock_records(const Context& context, Root& root);

// The right to remove or restore sessions (exclusive), or to create files of an existing session (shared),
// such as its log with the first message, or its header. Appending to an existing log needs neither: the
// writer detects under the log's own lock that the log is gone. Must be taken before lock_records.
Result<RecordLock> lock_sessions(const Context& context, Root& root, LockKind kind);

}  // namespace holdfast::inline v1
