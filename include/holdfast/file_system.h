// The interface to the operating system: everything that Holdfast writes goes
// through these three classes, and so does everything it reads from a store.
// The library has two implementations: the real one (`real_file_system`) and one
// in memory, for Store::in_memory. The crash laboratory has a third (crash/disk)
// that tracks what was synced, and crashes, tears writes, fills up and fails on
// demand.
//
// Paths given to a Directory are relative to it, with '/' between names. Except for
// OpenMode::read, they are resolved strictly below it: no "..", no symbolic link
// on the way, no mount point crossed. Only plain files that have one link and
// belong to the caller are opened for writing (D6).
//
// Thread-safety: FileSystem and Directory may be used from any thread. A File
// may be used from several threads for read_at, stat and sync; append,
// write_at, truncate and the lock are for one thread at a time.
#pragma once

#include <holdfast/error.h>
#include <holdfast/export.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

enum class FileKind { file, directory, symlink, other };

struct FileStat {
  FileKind kind = FileKind::other;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::uint32_t mode = 0;   // permission bits
  std::uint32_t owner = 0;  // user id
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;

  bool same_file(const FileStat& other) const { return device == other.device && inode == other.inode; }
};

struct DirectoryEntry {
  std::string name;
  FileKind kind = FileKind::other;
};

enum class OpenMode {
  read,           // an existing file; symbolic links are followed (decision 31)
  append,         // an existing file; every append() writes at its end
  update,         // an existing file, written with write_at()
  create_append,  // a new file, mode 0600; fails with already_exists if there is one
  create_update,  // the same, written with write_at()
};

enum class LockKind { shared, exclusive };

// An open file. The destructor closes it and releases its lock.
class HOLDFAST_EXPORT File {
 public:
  virtual ~File() = default;

  // Reads until `into` is full or the file ends; returns the count of bytes read.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) = 0;

  // Makes ONE write at the current end of the file and returns the count written.
  // Never interleaves with other appenders; may write less (disk full, signal).
  virtual Result<std::size_t> append(std::string_view bytes) = 0;

  // Where the last append() of this File ended; exact even if other programs
  // append at the same time.
  virtual std::uint64_t append_end() const = 0;

  // Writes all of `bytes` at `offset`, in as many writes as it takes.
  virtual Result<void> write_at(std::uint64_t offset, std::string_view bytes) = 0;

  virtual Result<void> truncate(std::uint64_t size) = 0;

  // Data and size are on the medium when this succeeds. After a failure, the
  // kernel may report success for data that is lost: never call it again to
  // find out (I-7).
  virtual Result<void> sync() = 0;

  // Drops the clean pages of the file from the system's cache, so the next write
  // maps its blocks anew. Without this, after a failed sync ext4 writes the same
  // pages to a place that it later reads back as zeros, and reports success (I-7).
  virtual Result<void> drop_cache() { return {}; }

  virtual Result<void> set_mode(std::uint32_t mode) = 0;  // permission bits
  virtual Result<FileStat> stat() = 0;

  // Locks the open file, not the process; returns false if another open file has the lock.
  virtual Result<bool> try_lock(LockKind kind) = 0;
  virtual void unlock() = 0;

  // Waits for the lock for at most `time`, in a queue behind earlier waiters. After
  // false, the File is still in the queue: call again, or call leave_line(). Fails
  // with unsupported if there is no queue; then call try_lock() from time to time.
  virtual Result<bool> lock_in_line(LockKind, std::chrono::nanoseconds) { return fail(Code::unsupported, "no line"); }
  virtual void leave_line() {}
};

class HOLDFAST_EXPORT Directory {
 public:
  virtual ~Directory() = default;

  // The absolute path, for messages and for the journal only.
  virtual const std::string& path() const = 0;

  virtual Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) = 0;

  // Does not follow a symbolic link at the end of `path`. "" is the directory itself.
  virtual Result<FileStat> stat(std::string_view path) = 0;

  // stat() without the times, which may be 0. Reading the times makes the next write
  // to the file slower, as measured: probably because Linux (since 6.13) then takes a finer timestamp, and
  // changes the inode with every write instead of once per tick.
  virtual Result<FileStat> stat_without_times(std::string_view path) { return stat(path); }

  // Whether stat() succeeds; also false if it fails for another reason than not_found.
  virtual bool exists(std::string_view path) { return stat(path).has_value(); }

  // Names in byte order, without "." and "..".
  virtual Result<std::vector<DirectoryEntry>> list(std::string_view path) = 0;

  // list() and stat() for callers that only read: symbolic links are followed on the
  // way and at the end, so only a dangling link is of kind symlink (decision 31).
  virtual Result<std::vector<DirectoryEntry>> list_to_read(std::string_view path) { return list(path); }
  virtual Result<FileStat> stat_to_read(std::string_view path) { return stat(path); }

  // list_to_read() and, in the same order, stat_to_read() of each entry of kind
  // file; FileStat() for entries of other kinds, or if stat_to_read() failed.
  // Cheaper than separate calls.
  virtual Result<std::vector<DirectoryEntry>> list_and_stat(std::string_view path, std::vector<FileStat>& stats) {
    auto entries = list_to_read(path);
    stats.clear();
    if (!entries) return entries;
    const std::string before = path.empty() ? std::string() : std::string(path) + "/";
    for (const DirectoryEntry& entry : *entries) {
      const auto stat = entry.kind == FileKind::file ? stat_to_read(before + entry.name) : Result<FileStat>(FileStat());
      stats.push_back(stat.value_or(FileStat()));
    }
    return entries;
  }

  virtual Result<void> make_directory(std::string_view path) = 0;  // one level, mode 0700
  virtual Result<void> make_link(std::string_view from, std::string_view to) = 0;
  virtual Result<void> make_symlink(std::string_view target, std::string_view path) = 0;
  virtual Result<std::string> read_symlink(std::string_view path) = 0;
  virtual Result<void> rename(std::string_view from, std::string_view to) = 0;  // replaces `to`
  virtual Result<void> remove(std::string_view path) = 0;                       // a file or a link
  virtual Result<void> remove_directory(std::string_view path) = 0;             // an empty one

  // Fails with permission_denied or read_only if no name in that directory can be
  // created, replaced or removed now. Changes nothing.
  virtual Result<void> check_writable(std::string_view) { return {}; }

  // The names in that directory are on the medium when this succeeds.
  virtual Result<void> sync_directory(std::string_view path) = 0;
};

struct FileSystemKind {
  std::string name;      // "ext4", "nfs", ...
  bool network = false;  // locks or syncs do not hold between machines
};

class HOLDFAST_EXPORT FileSystem {
 public:
  virtual ~FileSystem() = default;

  // `path` is absolute. With `create`, creates missing directories (0700) durably.
  // The result keeps working when the directory is renamed.
  virtual Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) = 0;

  virtual Result<FileSystemKind> kind_of(std::string_view path) = 0;

  // Random bits for names; a simulated file system derives them from its seed.
  virtual std::uint64_t entropy() = 0;
};

// The real file system, one per process. Never destroyed.
HOLDFAST_EXPORT FileSystem& real_file_system();

}  // namespace holdfast::inline v1
