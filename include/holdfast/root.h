// A Root is a directory in which Holdfast keeps logs and documents, together
// with its side folder: the one place inside it for everything that Holdfast
// needs beside the data (lock, journal, temporary files, backups, quarantine,
// checksums, leases, counters, poison marks; decision 2). Deleting the side
// folder loses no acknowledged data once no commit is in flight.
//
// Lifetime: the FileSystem must outlive the Root; logs, leases and commits keep
// a shared_ptr to the Root they work in.
// Thread-safety: all methods may be called from any thread.
#pragma once

#include <holdfast/context.h>
#include <holdfast/export.h>
#include <holdfast/file_system.h>
#include <holdfast/finding.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct RootOptions {
  std::string side = ".holdfast";  // the side folder, relative to the root
  bool create = false;             // create the directory if it is missing
  bool write = true;               // if false, nothing is created, locked or recovered
  bool allow_network = false;      // permit a network file system (unsafe with several machines)
};

// The exclusive right to change documents and to commit in one root, across
// processes. Released on destruction, and by the kernel when the process dies.
class HOLDFAST_EXPORT RootLock {
 public:
  RootLock();
  RootLock(RootLock&& other) noexcept;
  RootLock& operator=(RootLock&& other) noexcept;
  ~RootLock();

 private:
  friend class Root;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class HOLDFAST_EXPORT Root : public std::enable_shared_from_this<Root> {
 public:
  // Opens a root. With `write`, checks the owner, the mode and the kind of file
  // system, finishes or discards a commit that a crash interrupted, and removes
  // orphaned temporary files. Idempotent and itself crash-safe.
  static Result<std::shared_ptr<Root>> open(const Context& context, FileSystem& file_system, std::string path,
                                            RootOptions options = {});

  ~Root();
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  FileSystem& file_system() const;
  Directory& directory() const;
  const std::string& path() const;
  const RootOptions& options() const;

  // What recovery found and repaired, in open() and since.
  std::vector<Finding> findings() const;

  // Returns a path in the side folder: side("tmp", "x") is ".holdfast/tmp/x".
  std::string side(std::string_view folder) const;
  std::string side(std::string_view folder, std::string_view name) const;

  // Creates the directory `path` and its parents (0700) and makes their names
  // durable. Cheap if this Root has done it before.
  Result<void> ensure_directory(std::string_view path);

  // Makes the name `path` durable: syncs its directory, and every directory
  // above it whose own name this Root has not yet made durable.
  Result<void> sync_name(std::string_view path);

  // The same, but only on the first call for this path and inode: for files that
  // stay. A caller that has just created the file must use sync_name.
  Result<void> sync_name_once(std::string_view path, std::uint64_t inode);

  // Remembers that a sync of `what` failed: the next sync may report success
  // falsely, so users of this Root must create `what` anew first (I-7). Poison
  // marks tell other processes; this memory works even when no write succeeds.
  void distrust(std::string_view what);
  bool distrusted(std::string_view what) const;
  void trust(std::string_view what);

  // Waits for the lock, at most until the context's deadline and at most 30 s, and
  // finishes a commit whose owner died: under the lock no commit is half done.
  Result<RootLock> lock(const Context& context);

  // Locks several roots, each as above. Returns the locks in the order of `roots`, but takes them in the global lock
  // order (I-19). Holds none of them while it finishes a commit whose home is another root.
  static Result<std::vector<RootLock>> lock_all(const Context& context, std::span<Root* const> roots);

  // Copies bytes to a new file in the quarantine before they are cut or replaced,
  // durable when this returns. Returns its path, relative to the root. Fails with
  // disk_full if the quarantine is full; never deletes anything from it.
  Result<std::string> quarantine(const Context& context, std::string_view source_path, std::uint64_t offset,
                                 std::string_view bytes, std::string_view reason);

  // Returns a unique name: the prefix and random letters.
  std::string unique_name(std::string_view prefix) const;

 private:
  struct Impl;
  explicit Root(std::unique_ptr<Impl> impl);
  Result<void> prepare(const Context& context);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
