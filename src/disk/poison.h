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

  // Before the file at `staged` takes the log's name, under the root's lock: until a sync has covered that, the name is
  // suspect, and who dies in between cannot say so any more. `clear` when the sync has succeeded, or when the file
  // before has its name again, durably.
  Result<void> mark_name(Root& root, const std::string& staged) const;

  // Whether there is such a mark: nobody may have failed, and only the name is to be given anew.
  bool of_name(Root& root) const;

  // Whether the mark speaks of this file: not when it is for the name of another one.
  bool concerns(Root& root, File& file) const;

  // For documents, which are mended by being replaced.
  void clear(Root& root) const;

  // Writes everything from there on again, where a sync cannot lie: ours into a
  // new file that takes the name; shared in place, the same bytes, which makes
  // the pages dirty again, unless its name is suspect: then into a new file too,
  // and the old one is kept for what arrives there late (log_head.h). Syncs, then removes the mark. Takes the root's
  // lock and the log's. `poisoned` when the medium still fails; nothing is lost.
  Result<void> mend(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                    const Unsynced& unsynced = {}) const;
  // The same for one who holds the root's lock already.
  Result<void> mend_locked(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                           const Unsynced& unsynced = {}) const;

 private:
  Result<std::uint64_t> suspect_from(Root& root, std::uint64_t durable_end) const;
  std::string read_mark(Root& root) const;
  Result<void> rewrite_into_new_file(const Context& context, LogFile& log, const Unsynced& unsynced) const;
  Result<void> rewrite_in_place(LogFile& log, std::uint64_t from, const Unsynced& unsynced) const;

  std::string log_path_;
  std::string mark_path_;
};

}  // namespace holdfast::inline v1
