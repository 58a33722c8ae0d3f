// One log opened for writing: lock, inode re-check, last-byte check, one write.
// AppendLog (threads, syncs) and Commit (redo) are built on it.
// Thread-safety: one thread at a time; shared_file() may be synced from any thread.
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

// What a failed write left in the log.
struct Landed {
  std::size_t lines = 0;  // how many of the given lines, counted from the first
  std::uint64_t end = 0;  // just after the last of these lines
};

class LogFile {
 public:
  // Opens the file, or creates it if the options say so, and makes its name durable. Does not change its contents.
  static Result<LogFile> open(const Context& context, std::shared_ptr<Root> root, std::string path, LogOptions options);

  // Takes the kernel lock on the file that is at the path now. Fails with
  // not_found if the log was removed in the meantime.
  Result<void> lock(const Context& context);
  void unlock();

  // All functions below require the lock.

  // Appends whole lines with one write. After an error, lines that were already whole stay (I-4) and the message
  // counts them; with `together` none of them stays, and if that cannot be guaranteed the error is durability_unknown.
  Result<Extent> write(const Context& context, std::span<const std::string_view> records, bool together = false);

  // Valid after write() failed.
  Landed landed() const { return landed_; }

  // ours: the log ends in a newline on return. shared: changes nothing.
  Result<void> repair_tail(const Context& context);

  // Appends the newline that the last line lacks, if any.
  Result<void> end_line();

  // Returns the last whole record, empty if there is none.
  Result<std::string> last_record(const Context& context);

  Result<std::uint64_t> size();

  // The current file, for syncing outside the lock.
  std::shared_ptr<File> shared_file() const { return file_; }
  // Identity of the file that was locked last.
  const std::optional<FileStat>& identity() const { return identity_; }
  // Opens the file that is now at the path, after another process or a repair replaced it.
  Result<void> reopen();

  Root& root() const { return *root_; }
  const std::string& path() const { return path_; }
  const LogOptions& options() const { return options_; }

  std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }

 private:
  LogFile(std::shared_ptr<Root> root, std::string path, LogOptions options);
  Result<void> make_name_durable(const Context& context, bool created);
  void open_side_car(const Context& context);
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
  std::optional<FileStat> identity_;  // of file_; device and inode do not change while it is open
  std::optional<SideCar> side_car_;
  RankHold rank_;                              // while locked
  std::optional<std::uint64_t> size_at_lock_;  // unset after the first check of the tail
  std::uint64_t own_end_ = kUnknown;           // where our last write ended, if the side-car covers it
  std::uint64_t clean_end_ = kUnknown;         // a size at which the last byte is known to be '\n'
  std::string buffer_;                         // reused by every write
  std::uint64_t buffer_end_ = kUnknown;        // end of the bytes of buffer_ in the log, if all of them were written
  Landed landed_;
  std::vector<Finding> findings_;
};

}  // namespace holdfast::inline v1
