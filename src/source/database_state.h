// What tells whether a database changed while it was read without a lock: the
// files' identity and the header of the write-ahead log, whose salts change with
// every restart. A log that only grew is not a change: a reader has its own end.
// After a restart the log is written over from its start, so that it grows at a
// constant size; then its time and the head of its index (`-shm`, where every commit
// leaves the number of frames) tell.
// Thread-safety: plain values.
#pragma once

#include <holdfast/error.h>

#include <array>
#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

struct DatabaseState {
  bool exists = false;
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t mtime_ns = 0, ctime_ns = 0;
  bool has_wal = false;  // and it is longer than nothing
  std::uint64_t wal_inode = 0, wal_size = 0;
  std::array<char, 32> wal_header{};
  std::int64_t wal_mtime_ns = 0;
  std::array<char, 48> wal_index{};  // zeros: there is none

  // The pages that a reader who began at `before` has seen are still what they were.
  bool still_holds(const DatabaseState& before) const;
  // Nothing was written at all, so that a reader who began then misses nothing now.
  bool operator==(const DatabaseState&) const = default;
};

Result<DatabaseState> look_at_database(const std::string& absolute_path);

}  // namespace holdfast::inline v1
