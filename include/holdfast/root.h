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
  bool create = false;             // make the directory when it is missing
  bool write = true;               // false: nothing is created, locked or recovered
  bool allow_network = false;      // insist on a network file system (unsafe with several machines)
};

// Exclusive right to change documents and to commit in one root, across
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
  // Opens, checks owner, mode and kind of file system, and (with `write`)
  // finishes or discards a commit that a crash interrupted and clears away
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

  // The locks of several roots, in the order of `roots` and each as above, taken in the order that everybody keeps
  // (I-19). A commit whose home is elsewhere is finished while none of them is held.
  static Result<std::vector<RootLock>> lock_all(const Context& context, std::span<Root* const> roots);

  // Copies bytes aside before they are cut or replaced: a new file in the
  // quarantine, durable when this returns; the path relative to the root.
  // Refuses (disk_full) beyond the cap; nothing is ever deleted from it here.
  Result<std::string> quarantine(const Context& context, std::string_view source_path, std::uint64_t offset,
                                 std::string_view bytes, std::string_view reason);

  // A name nobody else has: prefix plus random letters.
  std::string unique_name(std::string_view prefix) const;

 private:
  struct Impl;
  explicit Root(std::unique_ptr<Impl> impl);
  Result<void> prepare(const Context& context);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
