// A Root is a directory in which Holdfast keeps logs and documents, together
// with its side folder: the one place inside it for everything that Holdfast
// needs beside the data (lock, journal, temporary files, backups, quarantine,
// checksums, leases, counters, poison marks; decision 2). Deleting the side
// folder loses no acknowledged data once no commit is in flight.
//
// Lifetime: the FileSystem must outlive the Root; logs, documents and commits
// keep a shared_ptr to the Root they work in.
// Thread-safety: all methods may be called from any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/file_system.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

// What somebody should know about: damage, a repair, a conflict. Never an error
// of the call that found it.
struct Finding {
  std::string path;  // relative to the root
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string kind;         // a word: "torn", "nul", "conflict", ...
  std::string consequence;  // a sentence for people
  std::string moved_to;     // where the bytes went, or empty
};

struct RootOptions {
  std::string side = ".holdfast";  // the side folder, relative to the root
  bool create = false;             // make the directory when it is missing
  bool write = true;               // false: nothing is created, locked or recovered
  bool allow_network = false;      // insist on a network file system (unsafe with several machines)
};

class Root;

// A mutex that threads get in the order in which they asked for it.
class FairMutex {
 public:
  // busy when the context's time ran out, cancelled when it was stopped.
  Result<void> lock(const Context& context, std::string_view path);
  void unlock();
  std::size_t waiting() const;

 private:
  struct Waiter;
  mutable std::mutex mutex_;  // guards the next two
  bool held_ = false;
  std::deque<Waiter*> line_;
};

// Exclusive right to change documents and to commit in one root, across
// processes. Released on destruction, and by the kernel when the process dies.
class RootLock {
 public:
  struct Unlock {
    void operator()(FairMutex* threads) const { threads->unlock(); }
  };

  RootLock() = default;
  RootLock(RootLock&& other) noexcept;
  RootLock& operator=(RootLock&& other) noexcept;
  ~RootLock();

 private:
  friend class Root;
  void release() noexcept;

  std::uint64_t rank_ = 0;                      // in the list of what its thread holds
  std::unique_ptr<FairMutex, Unlock> threads_;  // released after the file
  std::unique_ptr<File> file_;
};

class Root : public std::enable_shared_from_this<Root> {
 public:
  // Opens, checks owner, mode and kind of file system, and (with `write`)
  // finishes or discards a commit that a crash interrupted and clears away
  // orphaned temporary files. Idempotent and itself crash-safe.
  static Result<std::shared_ptr<Root>> open(const Context& context, FileSystem& file_system, std::string path,
                                            RootOptions options = {});

  FileSystem& file_system() const { return file_system_; }
  Directory& directory() const { return *directory_; }
  const std::string& path() const { return directory_->path(); }
  const RootOptions& options() const { return options_; }

  // What recovery found and mended, at the opening and since.
  std::vector<Finding> findings() const;

  // The path of something in the side folder: side("tmp", "x") is ".holdfast/tmp/x".
  std::string side(std::string_view folder) const;
  std::string side(std::string_view folder, std::string_view name) const;

  // Makes `path` and its parents (0700) and makes their names durable. Cheap
  // when this Root has done it before.
  Result<void> ensure_directory(std::string_view path);

  // Makes the name `path` durable: syncs its directory, and every directory
  // above it whose own name this Root has not yet made durable.
  Result<void> sync_name(std::string_view path);

  // The same, but only the first time this Root is asked about this file at the
  // name: for files that stay. Who has just created the file uses sync_name.
  Result<void> sync_name_once(std::string_view path, std::uint64_t inode);

  // A sync of `what` failed, and the next one may lie: whoever holds this Root
  // must make it anew first (I-7). What other processes must know is in the
  // poison folder; this memory works when the medium takes nothing any more.
  void distrust(std::string_view what);
  bool distrusted(std::string_view what) const;
  void trust(std::string_view what);

  // Waits for the lock until the context's deadline (30 s when it has none), and
  // finishes a commit whose owner died: who holds the lock sees no half of one.
  Result<RootLock> lock(const Context& context);

  // Copies bytes aside before they are cut or replaced: a new file in the
  // quarantine, durable when this returns; the path relative to the root.
  // Refuses (disk_full) beyond the cap; nothing is ever deleted from it here.
  Result<std::string> quarantine(const Context& context, std::string_view source_path, std::uint64_t offset,
                                 std::string_view bytes, std::string_view reason);

  // A name nobody else has: prefix plus random letters.
  std::string unique_name(std::string_view prefix) const;

 private:
  Root(FileSystem& file_system, std::unique_ptr<Directory> directory, RootOptions options);
  Result<void> prepare(const Context& context);
  Result<void> forget_directory(std::string_view path);
  void forget_names();
  Result<RootLock> lock_file(const Context& context);

  FileSystem& file_system_;
  std::unique_ptr<Directory> directory_;
  RootOptions options_;
  mutable std::mutex findings_mutex_;
  std::vector<Finding> findings_;
  std::uint64_t device_ = 0, inode_ = 0;  // of the directory: the order among roots
  FairMutex lock_mutex_;                  // flock is per open file; this keeps threads in line
  mutable std::mutex names_mutex_;
  std::atomic<std::size_t> distrusted_count_{0};
  std::set<std::string, std::less<>> distrusted_;
  std::set<std::string, std::less<>> durable_names_;  // made durable by us
};

// Waits for `file` to be locked: never for ever, never in a busy loop, and in
// the order in which all who wait came, unless it is a lock that may be held for
// long (`line`). busy when the wait ran out.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line = true);

}  // namespace holdfast::inline v1
