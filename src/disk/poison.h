// After a failed sync the kernel may mark lost data as clean, and the next sync
// of any process succeeds without writing it. So a failed sync leaves a mark in
// the side folder. Every writer checks it before it writes and before it
// acknowledges (decision 5, I-7), until the log has been mended.
//
// The mark is not synced: a reboot empties the page cache, and then syncs can be trusted again.
#pragma once

#include <optional>
#include <string>

#include "disk/log_file.h"
#include "disk/unsynced.h"

namespace holdfast::inline v1 {

class Poison {
 public:
  Poison(const Root& root, std::string_view log_path);

  bool marked(Root& root) const;

  // Everything before `from` was covered by a successful sync. Takes effect for
  // this Root even if the mark cannot be written.
  Result<void> mark(Root& root, std::uint64_t from) const;

  // Call under the root's lock before the file at `staged` takes the log's name. The name is suspect until a sync has
  // covered the rename, and a process that dies in between could not record that later. Call `clear` when the sync has
  // succeeded, or when the previous file durably has its name again.
  Result<void> mark_name(Root& root, const std::string& staged) const;

  // True if the mark was made by mark_name alone: perhaps no sync failed, and only the name must be made again.
  bool of_name(Root& root) const;

  // True if the mark applies to this file; false if it was made for the name of another file, or was removed since it
  // was seen: then the log has been mended, or its name is durable.
  bool concerns(Root& root, File& file) const;

  // For documents, which are mended by replacing them.
  void clear(Root& root) const;

  // Rewrites everything from the marked offset on in a way that lets the next sync be trusted. ours: into a new file
  // that takes the name. shared: in place with the same bytes, which makes the pages dirty again; if the name is
  // suspect, into a new file as well, and the old file is kept for late lines (log_head.h). Then syncs and removes
  // the mark. Takes the root's lock and the log's. Fails with poisoned if the medium still fails; nothing is lost.
  Result<void> mend(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                    const Unsynced& unsynced = {}) const;
  // The same, for callers that already hold the root's lock.
  Result<void> mend_locked(const Context& context, LogFile& log, std::uint64_t durable_end = UINT64_MAX,
                           const Unsynced& unsynced = {}) const;

 private:
  Result<std::uint64_t> suspect_from(Root& root, std::uint64_t durable_end) const;
  std::optional<std::string> read_mark(Root& root) const;  // nullopt if there is none
  Result<void> rewrite_into_new_file(const Context& context, LogFile& log, const Unsynced& unsynced) const;
  Result<void> rewrite_in_place(LogFile& log, std::uint64_t from, const Unsynced& unsynced) const;

  std::string log_path_;
  std::string mark_path_;
};

}  // namespace holdfast::inline v1
