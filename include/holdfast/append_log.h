// An append-only log of JSON objects, one a line, in a plain file.
//
// What an acknowledgement means (the contract of docs/durability.md):
//   power    the record is readable after SIGKILL, OOM-kill, kernel panic or
//            power loss on ext4 and xfs with honest flushes
//   process  it survives SIGKILL of any process; after power loss at most the
//            last sync interval plus one flush is lost while the writer lives
//   none     accepted in memory
// No operation removes or changes a complete line that was once readable.
//
// Any number of threads share one AppendLog; any number of processes, and
// foreign programs that append with plain O_APPEND, share one file. Threads
// that append at the same time are written and synced together.
// Lifetime: outlives every append in flight; destruction writes and syncs what
// was accepted in memory. After fork() a child must open its own.
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
  ours,    // only Holdfast writes here: torn tails are cut, after a copy went to quarantine
  shared,  // other programs append too: never truncated, never replaced (decision 1)
};

struct LogOptions {
  LogMode mode = LogMode::ours;
  std::size_t max_line = std::size_t{64} << 20;   // bytes of a record; longer is too_large
  std::chrono::milliseconds sync_interval{1000};  // for `process`; 0: no background sync
  bool checksums = true;                          // keep the advisory side-car
  bool create = true;                             // false: not_found when there is no such log
};

struct Ack {
  std::uint64_t offset = 0;  // of the first record of the append; 0 for `none`
  std::uint64_t end = 0;     // just after the newline of the last
  Durability durability = Durability::none;
};

class HOLDFAST_EXPORT AppendLog {
 public:
  // Opens or creates `path` below `root` for writing: repairs the tail, mends a
  // poisoned file, syncs what an earlier writer left unsynced. What it found is
  // in findings().
  static Result<std::unique_ptr<AppendLog>> open(const Context& context, std::shared_ptr<Root> root, std::string path,
                                                 LogOptions options = {});
  ~AppendLog();
  AppendLog(const AppendLog&) = delete;
  AppendLog& operator=(const AppendLog&) = delete;

  // Appends whole records, each one JSON object without a raw control byte (so
  // without a newline), in order and in one write. On an error nothing was
  // acknowledged and none of them is there; on durability_unknown some may be.
  Result<Ack> append(const Context& context, std::span<const std::string_view> records,
                     Durability durability = Durability::power);
  Result<Ack> append(const Context& context, std::string_view record, Durability durability = Durability::power);

  // Composes the record while the lock is held, from the last whole record of
  // the log (empty when there is none): for numbers that must never repeat.
  using Compose = std::function<Result<std::string>(std::string_view last)>;
  Result<Ack> append_after_last(const Context& context, const Compose& compose,
                                Durability durability = Durability::power);

  // The same for several records, written together: a header and the first message.
  using ComposeAll = std::function<Result<std::vector<std::string>>(std::string_view last)>;
  Result<Ack> append_all_after_last(const Context& context, const ComposeAll& compose,
                                    Durability durability = Durability::power);

  // Everything acknowledged so far, with any durability, is on the medium.
  Result<void> sync(const Context& context);

  // Writes and syncs what was accepted and says whether that worked. Further
  // appends fail. The destructor does the same, without a word.
  Result<void> close(const Context& context);

  // Damage met and repairs made by this object, oldest first.
  std::vector<Finding> findings() const;

  const std::string& path() const;

 private:
  struct Impl;
  explicit AppendLog(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
