// After a failed sync the kernel may call lost data clean, and the next sync of
// any process succeeds without writing it. So a failure leaves a mark in the
// side folder that every writer checks before it writes and before it
// acknowledges (decision 5, I-7), until the log has been mended.
//
// The mark is not synced: a reboot empties the page cache, and with it the lie.
#pragma once

#include <string>

#include "disk/log_file.h"
#include "disk/unsynced.h"

namespace holdfast::inline v1 {

class Poison {
 public:
  Poison(const Root& root, std::string_view log_path);

  bool marked(Root& root) const;

  // `from`: everything before it was covered by a sync that succeeded.
  // Holds for this Root even when the mark cannot be written.
  Result<void> mark(Root& root, std::uint64_t from) const;

  // For documents, which are mended by being replaced.
  void clear(Root& root) const;

  // Writes everything from there on again, where a sync cannot lie: ours into a
  // new file that takes the name; shared in place, the same bytes, which makes
  // the pages dirty again. Syncs, then removes the mark. Takes the root's lock
  // and the log's. `poisoned` when the medium still fails; nothing is lost.
  Result<void> mend(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                    const Unsynced& unsynced = {}) const;
  // The same for one who holds the root's lock already.
  Result<void> mend_locked(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                           const Unsynced& unsynced = {}) const;

 private:
  Result<std::uint64_t> suspect_from(Root& root, std::uint64_t durable_end) const;
  Result<void> rewrite_into_new_file(LogFile& log, const Unsynced& unsynced) const;
  Result<void> rewrite_in_place(LogFile& log, std::uint64_t from, const Unsynced& unsynced) const;

  std::string log_path_;
  std::string mark_path_;
};

}  // namespace holdfast::inline v1
