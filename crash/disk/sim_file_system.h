// A file system in memory that keeps what processes see apart from what is on
// the medium, and crashes, tears, fills up and fails on demand. One run of a
// workload serves all three models of enum CrashModel (sim_state.h), because
// the model is chosen at the crash.
//
// It is one tree from "/". All paths given to this class are absolute. It
// behaves like the real one towards the library: same errors, same refusals;
// symbolic links are followed by OpenMode::read and open_directory only. Inode
// numbers are never reused, and time is a counter that every change advances.
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

// One name of a tree; hard links appear once per name.
struct SimEntry {
  std::string path;
  FileKind kind = FileKind::other;
  std::string bytes;  // of a file, or the target of a symbolic link

  auto operator<=>(const SimEntry&) const = default;
};

class SimFileSystem final : public FileSystem {
 public:
  explicit SimFileSystem(std::uint64_t seed = 1);

  // --- FileSystem; with `create`, a missing level is make_directory and
  // sync_directory of its parent, both seen by the observer ---
  Result<std::unique_ptr<Directory>> open_directory(std::string_view path, bool create) override;
  Result<FileSystemKind> kind_of(std::string_view path) override;
  std::uint64_t entropy() override;

  // --- the end of a run ---
  // Power loss, as the next boot finds it: nothing pending, no handle, no lock,
  // no observer; capacity, clock and entropy() go on. This one is not changed.
  std::unique_ptr<SimFileSystem> crash(CrashModel model, Chooser& chooser) const;
  // The process dies, the machine lives: handles are dead ("process was
  // killed"), locks are free, files stay as they are and pending stays pending.
  void kill();
  // The same disk, pending operations included, for another process: without
  // handles, locks and observer.
  std::unique_ptr<SimFileSystem> clone() const;

  // --- faults ---
  void set_observer(SimObserver* observer);  // nullptr: none
  std::uint64_t calls() const;               // mutating calls so far
  // Of the whole tree, in file bytes and in inodes ("/" is one). An append that
  // does not fit writes what does; with nothing left it fails with ENOSPC.
  void set_capacity(std::uint64_t bytes, std::uint64_t inodes);

  // --- for tests and the laboratory: not seen by the observer, never fail by
  // injection or capacity ---
  // Makes or replaces the content of a file, and its directories, durably. In
  // the journal models that commits what was pending before, like any sync.
  Result<void> put_file(std::string_view path, std::string_view bytes);
  Result<void> foreign_append(std::string_view path, std::string_view bytes);  // with O_APPEND, unsynced
  Result<std::string> read_file(std::string_view path) const;
  bool exists(std::string_view path) const;  // of the name itself
  std::vector<std::string> paths() const;    // in depth-first byte order, without "/"
  std::vector<SimEntry> tree() const;        // the same with contents
  bool same_tree(const SimFileSystem& other) const;
  // Damages the medium and the cache: bit `bit` of the file; false when it has fewer.
  bool flip_bit(std::string_view path, std::uint64_t bit);
  void sync_all();              // as sync(2)
  std::size_t pending() const;  // operations not yet safe under every model

 private:
  explicit SimFileSystem(std::shared_ptr<SimCore> core);

  std::shared_ptr<SimCore> core_;
};

}  // namespace holdfast::inline v1
