// The logs of entries that this process writes to, with the folded state of each, so the cost of an
// append depends only on what is appended. Thread-safety: any thread.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/log_reader.h>

#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "rules/entries/entry_fold.h"

namespace holdfast::inline v1 {

// One log. `fold` is accessed only while append_all_after_last has the log locked: one thread, one process.
struct EntryLogState {
  std::unique_ptr<AppendLog> log;
  std::shared_ptr<Root> root;
  std::string path;
  // Kept open, so that no other file gets its inode; nullptr if nothing is folded.
  std::unique_ptr<File> folded;
  std::uint64_t end = 0;      // end of the folded part
  std::uint64_t changed = 0;  // end of the last line that changed the stream
  // How the last line begins, which has the time of its write in it, and where.
  std::string last;
  std::uint64_t last_at = 0;
  EntryFold fold;

  // Folds the lines appended since, by any process.
  Result<void> catch_up(const Context& context);

 private:
  Result<bool> has_only_grown(File* file) const;  // nullptr: no file
};

class EntryLogStates {
 public:
  // Returns nullptr if the log is not open here.
  std::shared_ptr<EntryLogState> find(const std::string& path);
  // Stores the book; returns the other one if another thread was faster.
  std::shared_ptr<EntryLogState> keep(std::shared_ptr<EntryLogState> book);
  // Call after the log was deleted.
  void forget(const std::string& path);

 private:
  struct Kept {
    std::shared_ptr<EntryLogState> book;
    std::uint64_t used = 0;
  };
  Mutex mutex_;
  std::map<std::string, Kept, std::less<>> books_ HOLDFAST_GUARDED_BY(mutex_);
  std::uint64_t clock_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::inline v1
