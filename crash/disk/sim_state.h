// The state of a simulated disk: what processes see (live), what is on the
// medium under each set of rules (base), and the operations in between (log).
// No locks, handles or faults: those are in sim_core.h. All operations return 0
// or an errno. Copying a SimState is cheap: images, inodes and operations are
// shared until edited. Not thread-safe.
#pragma once

#include <holdfast/file_system.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crash/disk/sim_shared.h"

namespace holdfast::inline v1 {

// What may be on the disk after a power loss. Each model defines which
// operations a sync makes safe and what may happen to the others.
enum class CrashModel {
  // A disk that keeps everything in issue order. Any sync makes everything
  // before it safe, and of the rest a prefix survives; the first data write
  // that does not survive whole may be torn at any byte.
  ordered,
  // A metadata journal with delayed allocation. Any sync commits all names, modes
  // and truncations before it; of later ones a prefix survives. A file's data and
  // growth are safe only if that file was synced. Otherwise its size is the one
  // after any of its writes issued before the first lost metadata operation (so a
  // renamed file may be empty), and each 4 KiB block contains what the page cache
  // contained after any number of those writes, NUL if none. A truncation that
  // survives zeroed its last block; a write after one that did not survive is
  // visible only in the block of the cut.
  ext4_nul,
  // What POSIX promises and no more. File::sync makes that file's bytes and size
  // safe but not its name; sync_directory makes safe the names set in or removed
  // from that directory (for a rename: its destination). Every other operation on
  // names and modes survives or not, independently: the survivors are applied in
  // issue order, and the last one decides about a name. One exception: a rename of
  // something that an unsynced rename moved there needs that rename. A name whose
  // inode never reached the disk is an empty file. A size is anywhere between the
  // smallest and the largest since the sync, and each 512-byte sector contains the
  // bytes after any number of the unsynced writes to it, NUL if none.
  weak,
};
inline constexpr std::size_t kCrashModels = 3;

using SimSlot = std::uint32_t;  // the index of an inode in every image
inline constexpr SimSlot kNoSlot = 0xffffffff;
inline constexpr SimSlot kRootSlot = 0;
inline constexpr std::uint64_t kSimPage = 4096;
inline constexpr std::uint64_t kSimSector = 512;

inline constexpr std::uint32_t kNoMode = 0xffffffff;  // as created: 0600 or 0700

struct SimName {
  std::string name;
  SimSlot slot = kNoSlot;
};

struct SimInode {
  FileKind kind = FileKind::file;
  std::uint32_t links = 0;  // number of names; a directory has 1, a removed one 0
  std::uint32_t mode = kNoMode;
  std::uint64_t number = 0;
  std::int64_t mtime = 0;
  std::int64_t ctime = 0;
  SimShared<std::string> data;  // bytes of a file or target of a symlink; may be absent for ""
  std::vector<SimName> names;   // of a directory, in byte order

  std::string_view bytes() const { return data ? std::string_view(*data) : std::string_view(); }
  SimSlot find(std::string_view name) const;
  void set(std::string_view name, SimSlot slot);
  void clear(std::string_view name);
};

class SimImage {
 public:
  std::size_t size() const { return inodes_ ? inodes_->size() : 0; }
  const SimInode* at(SimSlot slot) const { return slot < size() && (*inodes_)[slot] ? &*(*inodes_)[slot] : nullptr; }
  SimInode& edit(SimSlot slot);  // creates an empty file if there is none
  void drop(SimSlot slot);

 private:
  SimShared<std::vector<SimShared<SimInode>>> inodes_;
};

enum class SimOpKind : std::uint8_t { write, truncate, mode, name };

// One operation that may or may not have reached the medium. Immutable.
struct SimOp {
  SimOpKind kind = SimOpKind::write;
  FileKind inode_kind = FileKind::file;
  SimSlot inode = kNoSlot;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;  // write: where; truncate: the new size; mode: the new mode
  std::string bytes;         // write: what; name of a symlink: its target
  SimSlot clear_dir = kNoSlot;
  SimSlot set_dir = kNoSlot;
  std::string clear_name;
  std::string set_name;
  std::int64_t time = 0;
  std::uint64_t needs = 0;  // sequence of the rename that this one depends on, or 0

  bool is_data() const { return kind == SimOpKind::write || kind == SimOpKind::truncate; }
  SimSlot owner() const { return set_dir != kNoSlot ? set_dir : clear_dir; }
};

struct SimLogEntry {
  SimShared<SimOp> op;
  std::uint64_t sequence = 0;
  bool strict = false;        // covered by a sync of its own file or directory
  bool lost_strict = false;   // ... which failed: never reaches the medium (ext4_nul: data, weak: all)
  bool lost_journal = false;  // the same for ordered, and for names in ext4_nul
  std::array<bool, kCrashModels> folded{};
};

class SimState {
 public:
  SimState();

  // A disk as found after a crash: nothing pending. `image` and `free` come
  // from settle_links; clock and inode numbers continue from `before`.
  SimState(SimImage image, std::vector<SimSlot> free, const SimState& before);

  const SimImage& live() const { return live_; }

  // --- operations of processes; pending until synced ---
  int create(SimSlot dir, std::string_view name, FileKind kind, std::string_view target, SimSlot* made = nullptr);
  int link(SimSlot inode, SimSlot dir, std::string_view name);
  int rename(SimSlot from_dir, std::string_view from, SimSlot to_dir, std::string_view to);
  int remove(SimSlot dir, std::string_view name, bool directory);
  void write(SimSlot inode, std::uint64_t offset, std::string_view bytes);
  void truncate(SimSlot inode, std::uint64_t size);
  void set_mode(SimSlot inode, std::uint32_t mode);

  // --- syncs ---
  void sync_file(SimSlot inode);
  void sync_directory(SimSlot dir);
  void sync_all();
  // Failed syncs: what was pending counts as clean from now on, but never
  // reaches the medium. Of a lost write only the growth of the file remains;
  // the data is written after all if a later write touches the same page. A
  // lost name is set or removed on the medium only by a new operation on that
  // name, or by a rename that moves it.
  void fail_sync_file(SimSlot inode);
  void fail_sync_directory(SimSlot dir);

  // --- handles keep an inode without a name alive ---
  void retain(SimSlot slot);
  void release(SimSlot slot);
  void release_all();  // the process is gone

  // --- the medium ---
  // The image of everything certain under `model`; the rest is in log().
  const SimImage& base(CrashModel model);
  const std::vector<SimLogEntry>& log() const { return log_; }
  void compact();  // drops operations that are certain under every model
  bool journaled(const SimLogEntry& entry) const { return entry.sequence <= journaled_; }
  bool durable(const SimLogEntry& entry, CrashModel model) const;
  bool lost(const SimLogEntry& entry, CrashModel model) const;
  static void apply(SimImage& image, const SimOp& op, std::uint64_t length, bool lost);

  // --- capacity and damage ---
  std::uint64_t used_bytes() const;
  std::uint64_t used_inodes() const;
  bool flip_bit(SimSlot inode, std::uint64_t bit);

 private:
  SimSlot take_slot();
  void unname(SimSlot slot);
  bool inside(SimSlot dir, SimSlot tree) const;
  void record(SimOp op);
  void record_name(SimSlot inode, SimSlot clear_dir, std::string_view clear_name, SimSlot set_dir,
                   std::string_view set_name);
  std::uint64_t rename_behind(SimSlot inode, SimSlot dir, std::string_view name) const;
  void redo_needed();
  void collect();

  struct LostPage {
    SimSlot inode;
    std::uint64_t page;
  };

  SimImage live_;
  std::array<SimImage, kCrashModels> base_;
  std::vector<SimLogEntry> log_;
  std::vector<std::uint32_t> handles_;  // by slot; may be shorter than the image
  std::vector<SimSlot> free_;           // slots that no image, operation or handle uses
  std::vector<LostPage> lost_pages_;
  std::size_t compact_at_ = kCompactAt;
  std::uint64_t journaled_ = 0;  // everything up to this sequence is in the journal
  std::uint64_t next_sequence_ = 1;
  std::uint64_t next_number_ = 2;
  std::int64_t clock_ = 0;

  static constexpr std::size_t kCompactAt = 256;
};

// Counts the names of each inode reachable from the root, corrects the link
// counts and drops inodes without a name. `free` gets the empty slots.
void settle_links(SimImage& image, std::vector<SimSlot>* free);

}  // namespace holdfast::inline v1
