#include "source/rows.h"

#include <chrono>
#include <thread>

#include "base/damaged_database.h"
#include "base/mutex.h"
#include "base/time.h"
#include "source/connection.h"
#include "source/database_state.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kAttempts = 8;

// Keeps the connection that was used last, to avoid parsing the schema for each of
// many small queries. The connection holds no lock and is removed while in use; it
// is reused only if the database has not changed at all.
class KeptConnection {
 public:
  std::unique_ptr<Connection> take(const std::string& path, const DatabaseState& state) {
    const ScopedLock lock(mutex_);
    if (kept_ && kept_->path() == path && kept_->opened_at() == state) return std::move(kept_);
    return nullptr;
  }
  void keep(std::unique_ptr<Connection> connection) {
    const ScopedLock lock(mutex_);
    kept_.swap(connection);  // the old one closes after the lock
  }

 private:
  Mutex mutex_;
  std::unique_ptr<Connection> kept_ HOLDFAST_GUARDED_BY(mutex_);
};

KeptConnection& kept_connection() {
  static KeptConnection kept;
  return kept;
}

enum class Verdict {
  quiet,    // the database did not change in the meantime: the rows, or the error, can be trusted
  racy,     // it seems unchanged, but that may not be so in a moment: a write within the last tick of the clock is not
            // visible, or a writer is at work
  changed,  // it changed
};

// The kernel stamps files with a clock that ticks every 1 to 10 ms.
constexpr std::int64_t kTick = 20'000'000;

Result<Verdict> attempt(const std::string& path, std::string_view select, std::span<const std::string> parameters,
                        CollectedRows& rows, Result<void>& outcome) {
  const std::int64_t start = unix_ns(std::chrono::system_clock::now());
  HOLDFAST_LET(before, read_database_state(path));
  rows.clear();
  outcome = {};
  if (!before.exists) return Verdict::quiet;
  if (before.size == 0) {
    if (before.has_wal)
      outcome =
          fail(Code::corrupt,
               std::string(kDatabaseUnreadable).append(kDatabaseCut).append("it is empty, but its log is not"), path);
    return Verdict::quiet;
  }
  if (before.half_changed) {
    outcome = fail(unfinished_transaction(path));
    return Verdict::racy;  // the writer may be about to finish
  }
  std::unique_ptr<Connection> connection = kept_connection().take(path, before);
  if (!connection) {
    auto opened = open_connection(path, before);
    if (opened) connection = std::move(*opened);
    if (!opened) outcome = fail(std::move(opened).error());
  }
  if (connection) outcome = connection->collect(select, parameters, rows);
  HOLDFAST_LET(after, read_database_state(path));
  if (!after.still_holds(before)) return Verdict::changed;
  if (after.mtime_ns > start - kTick && after.mtime_ns < start + kTick) return Verdict::racy;
  // Whether a later write to the log will be visible in its state.
  const bool told = after.wal_index != DatabaseState().wal_index || after.wal_mtime_ns <= start - kTick;
  // After a damaged page, callers make many small queries for the rest.
  const bool usable = outcome || is_damaged_pages_error(outcome.error());
  if (connection && usable && told) kept_connection().keep(std::move(connection));
  return Verdict::quiet;
}

}  // namespace

Result<void> read_rows(const std::string& absolute_path, std::string_view select,
                       std::span<const std::string> parameters,
                       const std::function<bool(std::span<const RowValue>)>& take) {
  CollectedRows rows;
  Result<void> outcome;
  for (int i = 0; i < kAttempts; ++i) {
    HOLDFAST_LET(verdict, attempt(absolute_path, select, parameters, rows, outcome));
    if (verdict == Verdict::quiet || (verdict == Verdict::racy && i == kAttempts - 1)) {
      HOLDFAST_TRY(outcome);
      rows.deliver(take);
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1 << i));
  }
  return fail(Code::busy, "the database changed during every attempt to read it", absolute_path);
}

}  // namespace holdfast::inline v1
