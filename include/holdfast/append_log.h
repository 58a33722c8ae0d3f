// An append-only log of JSON objects, one per line, in a plain file.
//
// What an acknowledgement means (the contract of docs/durability.md):
//   power    the record is readable after SIGKILL, OOM-kill, kernel panic or
//            power loss on ext4 and xfs with honest flushes
//   process  the record survives SIGKILL of any process; power loss loses at most
//            the last sync interval plus one flush, while the writer lives
//   none     the record was accepted in memory
// No operation removes or changes a complete line that was once readable.
//
// Any number of threads can share one AppendLog; any number of processes, and
// foreign programs that append with plain O_APPEND, can share one file. Appends
// of several threads at the same time share syncs.
// Lifetime: must outlive every append in flight; the destructor writes and syncs
// what was accepted in memory. After fork() a child must open its own.
#pragma once

#include <holdfast/export.h>
#include <holdfast/root.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

enum class Durability { none, process, power };
HOLDFAST_EXPORT std::string_view durability_name(Durability durability);

enum class LogMode {
  ours,    // only Holdfast writes here: a torn tail is copied to quarantine, then cut
  shared,  // other programs append too: never truncated, never replaced (decision 1)
};

struct LogOptions {
  LogMode mode = LogMode::ours;
  std::size_t max_line = std::size_t{64} << 20;   // bytes of a record; too_large above it
  std::chrono::milliseconds sync_interval{1000};  // for `process`; 0 for no background sync
  bool checksums = true;                          // keep the advisory side-car
  bool create = true;                             // if false, open fails with not_found if there is no log
};

struct Ack {
  std::uint64_t offset = 0;  // of the first record of the append; 0 for `none`
  std::uint64_t end = 0;     // just after the newline of the last record
  Durability durability = Durability::none;
};

class HOLDFAST_EXPORT AppendLog {
 public:
  // Opens or creates `path` below `root` for writing: repairs the tail and a
  // poisoned file, and syncs what an earlier writer left unsynced. findings()
  // lists what it found.
  static Result<std::unique_ptr<AppendLog>> open(const Context& context, std::shared_ptr<Root> root, std::string path,
                                                 LogOptions options = {});
  ~AppendLog();
  AppendLog(const AppendLog&) = delete;
  AppendLog& operator=(const AppendLog&) = delete;

  // Appends whole records in order and in one write. Each must be one JSON object
  // without a raw control byte, so without a newline. After an error none of them
  // was acknowledged or is in the log; after durability_unknown some may be in it.
  Result<Ack> append(const Context& context, std::span<const std::string_view> records,
                     Durability durability = Durability::power);
  Result<Ack> append(const Context& context, std::string_view record, Durability durability = Durability::power);

  // Appends the record that `compose` returns. Calls `compose` under the lock, with
  // the last whole record (empty if there is none): for numbers that never repeat.
  using Compose = std::function<Result<std::string>(std::string_view last)>;
  Result<Ack> append_after_last(const Context& context, const Compose& compose,
                                Durability durability = Durability::power);

  // The same for several records, written together. If `compose` returns none, nothing is written, and what is in the
  // log already, whoever wrote it, is acknowledged: both offsets of the answer are the end of the log.
  using ComposeAll = std::function<Result<std::vector<std::string>>(std::string_view last)>;
  Result<Ack> append_all_after_last(const Context& context, const ComposeAll& compose,
                                    Durability durability = Durability::power);

  // Makes everything acknowledged so far, with any durability, durable (power).
  Result<void> sync(const Context& context);

  // Writes and syncs what was accepted, and returns whether that worked. Further
  // appends fail. The destructor does the same but ignores errors.
  Result<void> close(const Context& context);

  // Damage found and repairs made by this object, oldest first.
  std::vector<Finding> findings() const;

  const std::string& path() const;

 private:
  struct Impl;
  explicit AppendLog(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
