// One log opened for writing: lock, inode re-check, last-byte check, one write.
// The ground on which AppendLog (threads, syncs) and Commit (redo) stand.
// Thread-safety: one thread at a time; sync through `shared_file` from any.
#pragma once

#include <holdfast/append_log.h>
#include <holdfast/log_reader.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lock_rank.h"
#include "disk/side_car.h"

namespace holdfast::inline v1 {

struct Extent {
  std::uint64_t offset = 0;  // of the first record
  std::uint64_t end = 0;     // just after the last newline
};

// What a write that failed has left in the log.
struct Landed {
  std::size_t lines = 0;  // of those it was given, from the first on
  std::uint64_t end = 0;  // just after the last of them
};

class LogFile {
 public:
  // Opens the file, or creates it if the options say so, and makes its name durable. Changes nothing in it.
  static Result<LogFile> open(const Context& context, std::shared_ptr<Root> root, std::string path, LogOptions options);

  // Takes the kernel lock on the file that is at the path now. not_found when
  // the log was removed meanwhile.
  Result<void> lock(const Context& context);
  void unlock();

  // All below: only while locked.

  // Whole lines in one write at the end. On an error, lines that were already whole stay (I-4) and the message counts
  // them; with `together` none of them does, and where that cannot be had the error is durability_unknown.
  Result<Extent> write(const Context& context, std::span<const std::string_view> records, bool together = false);

  // After a write that failed.
  Landed landed() const { return landed_; }

  // ours: the log ends in a newline when this returns. shared: changes nothing.
  Result<void> repair_tail(const Context& context);

  // Ends the last line, if it lacks its newline.
  Result<void> end_line();

  // The last whole record, empty when there is none.
  Result<std::string> last_record(const Context& context);

  Result<std::uint64_t> size();

  // The current file, for syncing outside the lock.
  std::shared_ptr<File> shared_file() const { return file_; }
  // Of the file that was locked last.
  const std::optional<FileStat>& identity() const { return identity_; }
  // Another process, or mending, put a new file in place: use that one.
  Result<void> reopen();

  Root& root() const { return *root_; }
  const std::string& path() const { return path_; }
  const LogOptions& options() const { return options_; }

  std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }

 private:
  LogFile(std::shared_ptr<Root> root, std::string path, LogOptions options);
  Result<void> make_name_durable(const Context& context, bool created);
  bool remove_if_empty();
  Result<bool> ends_in_fragment();
  Result<void> seal();
  bool roll_back(std::uint64_t fragment, std::uint64_t end);
  void cover(std::uint64_t start, std::string_view bytes);

  static constexpr std::uint64_t kUnknown = UINT64_MAX;

  std::shared_ptr<Root> root_;
  std::string path_;
  LogOptions options_;
  std::shared_ptr<File> file_;
  std::optional<FileStat> identity_;  // of file_: its device and inode stay while it is open
  std::optional<SideCar> side_car_;
  RankHold rank_;                              // while locked
  std::optional<std::uint64_t> size_at_lock_;  // until the first look at the tail
  std::uint64_t own_end_ = kUnknown;           // where our last write ended, if the side-car has it
  std::uint64_t clean_end_ = kUnknown;         // a size at which the last byte is known to be '\n'
  std::string buffer_;                         // reused from write to write
  std::uint64_t buffer_end_ = kUnknown;        // where the bytes of buffer_ ended, if they were written whole
  Landed landed_;
  std::vector<Finding> findings_;
};

}  // namespace holdfast::inline v1
