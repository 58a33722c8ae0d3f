// A file system in memory that separates what processes see from what is on the
// medium, and crashes, tears, fills up and fails on demand. One run of a
// workload serves all three models of enum CrashModel (sim_state.h), because
// the model is chosen at the crash.
//
// It is one tree from "/". All paths given to this class are absolute. Towards
// the library it behaves like the real one, with the same errors and refusals;
// only OpenMode::read and open_directory follow symbolic links. Inode numbers
// are never reused, and time is a counter that every change advances.
//
// Thread-safety: any thread, one mutex. Handles may outlive it.
#pragma once

#include <holdfast/file_system.h>

#include <compare>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crash/disk/sim_chooser.h"
#include "crash/disk/sim_observer.h"
#include "crash/disk/sim_state.h"

namespace holdfast::inline v1 {

struct SimCore;

// One name in a tree; a hard link appears once per name.
struct SimEntry {
  std::string path;
  FileKind kind = FileKind::other;
  std::string bytes;  // of a file, or the target of a symbolic link

  auto operator<=>(const SimEntry&) const = default;
};

class SimFileSystem final : public FileSystem {
 public:
  explicit SimFileSystem(std::uint64_t seed = 1);

  // --- FileSystem; with `create`, a missing level costs make_directory and
  // sync_directory of its parent, both seen by the observer ---
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override;
  std::uint64_t entropy() override;

  // --- the end of a run ---
  // Power loss. Returns the disk as the next boot finds it: nothing pending, no handle, no lock, no
  // observer; capacity, clock and entropy() continue. Does not change this object.
  std::unique_ptr<SimFileSystem> crash(CrashModel model, Chooser& chooser) const;
  // The process dies, the machine does not: handles are dead ("process was killed"),
  // locks are free, files stay as they are, and pending operations stay pending.
  void kill();
  // The same disk for another process, including pending operations, without handles, locks and observer.
  std::unique_ptr<SimFileSystem> clone() const;

  // --- faults ---
  void set_observer(SimObserver* observer);  // nullptr: none
  std::uint64_t calls() const;               // mutating calls so far
  // Limits for the whole tree, in file bytes and inodes ("/" is one). An append that does
  // not fit writes as much as fits; if nothing does, it fails with ENOSPC.
  void set_capacity(std::uint64_t bytes, std::uint64_t inodes);

  // --- for tests and the laboratory: not seen by the observer, and never fail because of injection or capacity ---
  // Creates or replaces a file and its directories, durably. In the journal
  // models that commits everything pending, like any sync.
  Result<void> put_file(std::string_view path, std::string_view bytes);
  Result<void> foreign_append(std::string_view path, std::string_view bytes);  // with O_APPEND, unsynced
  Result<std::string> read_file(std::string_view path) const;
  bool exists(std::string_view path) const;  // the name itself; links are not followed
  std::vector<std::string> paths() const;    // in depth-first byte order, without "/"
  std::vector<SimEntry> tree() const;        // the same with contents
  bool same_tree(const SimFileSystem& other) const;
  // Flips a bit of the file on the medium and in the cache; false if the file is too short.
  bool flip_bit(std::string_view path, std::uint64_t bit);
  void sync_all();              // like sync(2)
  std::size_t pending() const;  // operations that are not safe under every model yet

 private:
  explicit SimFileSystem(std::shared_ptr<SimCore> core);

  std::shared_ptr<SimCore> core_;
};

}  // namespace holdfast::inline v1
