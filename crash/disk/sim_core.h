// What the handles of one simulated file system share: the state, who is alive, who holds
// which lock, and which faults to inject. Internal to crash/disk/sim_*.
// Thread-safety: everything below `mutex` only while holding it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "crash/disk/sim_chooser.h"
#include "crash/disk/sim_observer.h"
#include "crash/disk/sim_state.h"
#include "disk/file_error.h"

namespace holdfast::inline v1 {

struct SimCore {
  struct Lock {
    SimSlot inode;
    const void* owner;  // the File
    LockKind kind;
  };

  SimCore(SimState given, std::uint64_t seed) : state(std::move(given)), random{seed}, fault_random{~seed} {}

  // Announces a mutating call to the observer and takes the lock. If the call
  // must not happen, releases the lock and fails. The injection returned to the
  // caller is none, short_write or kill_inside.
  Result<Injection> enter(std::unique_lock<std::mutex>& lock, SimCall& call, std::uint64_t epoch, SimSlot slot);

  // Ends the call: kills the process if requested, releases the lock, reports success to the observer.
  Result<void> leave(std::unique_lock<std::mutex>& lock, const SimCall& call, const Injection& injection, int error);

  // --- only with the lock held ---
  void kill();
  std::uint64_t room() const;
  bool inode_left() const;

  std::atomic<SimObserver*> observer{nullptr};
  std::atomic<std::uint64_t> calls{0};

  std::mutex mutex;
  SimState state;
  std::uint64_t epoch = 0;  // handles of an earlier epoch are dead
  std::vector<Lock> locks;
  std::uint64_t byte_capacity = Chooser::kUnlimited;
  std::uint64_t inode_capacity = Chooser::kUnlimited;
  SimRandom random;        // for entropy()
  SimRandom fault_random;  // for kills inside a write
};

// "cannot append", for messages.
const char* sim_attempt(SimCallKind kind);
Error sim_killed(std::string_view path);

// --- plain paths (check_relative_path) in the live image ---

// The directory and last name of a path; follows no symbolic link.
int sim_parent(const SimImage& image, SimSlot root, std::string_view path, SimSlot& dir, std::string_view& name);

// The inode at a path or "", without following any symbolic link.
int sim_find(const SimImage& image, SimSlot root, std::string_view path, SimSlot& found);

// The same, following symbolic links everywhere. Absolute targets start at "/".
int sim_follow(const SimImage& image, SimSlot root, std::string_view path, SimSlot& found);

std::unique_ptr<File> sim_make_file(std::shared_ptr<SimCore> core, SimSlot slot, OpenMode mode, std::string path);
std::unique_ptr<Directory> sim_make_directory(std::shared_ptr<SimCore> core, SimSlot slot, std::string path);
FileStat sim_stat(const SimInode& inode);

}  // namespace holdfast::inline v1
