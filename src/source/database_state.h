// Detects whether a database changed while it was read without a lock, by the
// identity of its files and the header of the write-ahead log, whose salts change
// with every restart. A log that only grew is not a change: a reader has its own end.
// After a restart the log is overwritten from its start, so it gets new frames at a
// constant size; its time and the head of its index (`-shm`, where every commit
// records the number of frames) show that.
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
  bool has_wal = false;  // there is a log and it is not empty
  std::uint64_t wal_inode = 0, wal_size = 0;
  std::array<char, 32> wal_header{};
  std::int64_t wal_mtime_ns = 0;
  std::array<char, 48> wal_index{};  // zeros if there is none
  // A writer that uses no write-ahead log is changing pages, or died while it did: its rollback journal has what they
  // were before.
  bool half_changed = false;

  // Whether the pages that a reader saw since `before` are unchanged.
  bool still_holds(const DatabaseState& before) const;
  // Equal if nothing was written in between, so a reader that began then sees everything now.
  bool operator==(const DatabaseState&) const = default;
};

Result<DatabaseState> read_database_state(const std::string& absolute_path);

// The error for a database that is half changed.
Error unfinished_transaction(const std::string& absolute_path);

// How much is left of a file whose header says that it was larger: "4096 of 8192 bytes are left". Empty if it was not,
// or if that is not known.
std::string describe_cut(const std::string& absolute_path);

}  // namespace holdfast::inline v1
