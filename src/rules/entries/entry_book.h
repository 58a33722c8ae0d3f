// The logs of entries that this process writes to, with what it knows of each, so that an append costs what it
// appends. Thread-safety: any thread.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/log_reader.h>

#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "rules/entries/entry_fold.h"

namespace holdfast::inline v1 {

// One log. `fold` is touched only while its log is locked by append_all_after_last: one thread, one process.
struct EntryBook {
  std::unique_ptr<AppendLog> log;
  std::shared_ptr<Root> root;
  std::string path;
  std::string first;          // bytes at the log's start: others are another log
  std::uint64_t end = 0;      // of what is folded
  std::uint64_t changed = 0;  // of the last line that changed the stream
  EntryFold fold;

  // Folds what the log has got since, by whomever.
  Result<void> catch_up(const Context& context);
};

class EntryBooks {
 public:
  // nullptr when it is not open here.
  std::shared_ptr<EntryBook> find(const std::string& path);
  // Keeps it; another thread's, if one was faster.
  std::shared_ptr<EntryBook> keep(std::shared_ptr<EntryBook> book);
  // The log is gone.
  void forget(const std::string& path);

 private:
  struct Kept {
    std::shared_ptr<EntryBook> book;
    std::uint64_t used = 0;
  };
  Mutex mutex_;
  std::map<std::string, Kept, std::less<>> books_ HOLDFAST_GUARDED_BY(mutex_);
  std::uint64_t clock_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::inline v1
