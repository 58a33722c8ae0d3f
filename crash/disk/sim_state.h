// The state of a simulated disk: what processes see (live), what is on the
// medium under each set of rules (base), and the operations in between (log).
// No locks, no handles, no faults: those are in sim_core.h. All operations
// answer 0 or an errno. Copying a SimState is cheap: images, inodes and
// operations are shared until edited. Not thread-safe.
#pragma once

#include <holdfast/file_system.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crash/disk/sim_shared.h"

namespace holdfast::inline v1 {

// What may be found after power loss. Each model says which operations a sync
// makes safe and what may become of the others.
enum class CrashModel {
  // A disk that keeps everything in issue order. Any sync makes everything
  // before it safe, and of the rest a prefix survives; the first data write
  // that does not survive whole may be torn at any byte.
  ordered,
  // A metadata journal with delayed allocation. Any sync commits all names, modes
  // and truncations before it; of the rest of them a prefix survives. A file's data
  // and growth are safe only when that file was synced. Otherwise its size is
  // that after any of its writes issued before the first lost metadata
  // operation (so a renamed file may be empty), and each 4 KiB block holds what
  // the page cache held after any number of those writes, NUL where none did.
  // A truncation that survives zeroed its last block; a write behind one that
  // did not survive is visible in the block of the cut only.
  ext4_nul,
  // What POSIX promises and no more. File::sync makes that file's bytes and
  // size safe but not its name; sync_directory makes safe the names set in or
  // removed from that directory (a rename: in its destination). Every other
  // operation on names and modes is there or not, independently: they are applied in
  // issue order and the last survivor decides about a name. One exception: a
  // rename of what an unsynced rename brought there needs that rename. A name
  // whose inode never reached the disk is an empty file. Sizes are anywhere
  // between the smallest and the largest since the sync, and each 512-byte
  // sector holds the bytes after any number of the unsynced writes to it, NUL
  // where none did.
  weak,
};
inline constexpr std::size_t kCrashModels = 3;

using SimSlot = std::uint32_t;  // the place of an inode in every image
inline constexpr SimSlot kNoSlot = 0xffffffff;
inline constexpr SimSlot kRootSlot = 0;
inline constexpr std::uint64_t kSimPage = 4096;
inline constexpr std::uint64_t kSimSector = 512;

inline constexpr std::uint32_t kNoMode = 0xffffffff;  // as made: 0600 or 0700

struct SimName {
  std::string name;
  SimSlot slot = kNoSlot;
};

struct SimInode {
  FileKind kind = FileKind::file;
  std::uint32_t links = 0;  // names that lead here; a directory has 1, a removed one 0
  std::uint32_t mode = kNoMode;
  std::uint64_t number = 0;
  std::int64_t mtime = 0;
  std::int64_t ctime = 0;
  SimShared<std::string> data;  // bytes of a file, target of a symlink; may be absent for ""
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
  SimInode& edit(SimSlot slot);  // made, as an empty file, when there is none
  void drop(SimSlot slot);

 private:
  SimShared<std::vector<SimShared<SimInode>>> inodes_;
};

enum class SimOpKind : std::uint8_t { write, truncate, mode, name };

// One operation that the medium may or may not have. Never changes.
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
  std::uint64_t needs = 0;  // sequence of the rename that this one builds on, or 0

  bool is_data() const { return kind == SimOpKind::write || kind == SimOpKind::truncate; }
  SimSlot owner() const { return set_dir != kNoSlot ? set_dir : clear_dir; }
};

struct SimLogEntry {
  SimShared<SimOp> op;
  std::uint64_t sequence = 0;
  bool strict = false;        // a sync of its own file or directory covered it
  bool lost_strict = false;   // ... failed: never reaches the medium (ext4_nul: data, weak: all)
  bool lost_journal = false;  // the same for ordered, and for names in ext4_nul
  std::array<bool, kCrashModels> folded{};
};

class SimState {
 public:
  SimState();

  // A disk found after a crash: nothing pending. `image` and `free` come from
  // settle_links; clock and inode numbers go on from `before`.
  SimState(SimImage image, std::vector<SimSlot> free, const SimState& before);

  const SimImage& live() const { return live_; }

  // --- what processes do; all of it is pending until synced ---
  int create(SimSlot dir, std::string_view name, FileKind kind, std::string_view target, SimSlot* made = nullptr);
  int link(SimSlot inode, SimSlot dir, std::string_view name);
  int rename(SimSlot from_dir, std::string_view from, SimSlot to_dir, std::string_view to);
  int remove(SimSlot dir, std::string_view name, bool directory);
  void write(SimSlot inode, std::uint64_t offset, std::string_view bytes);
  void truncate(SimSlot inode, std::uint64_t size);
  void set_mode(SimSlot inode, std::uint32_t mode);

  // --- what makes it safe ---
  void sync_file(SimSlot inode);
  void sync_directory(SimSlot dir);
  void sync_all();
  // The failed syncs: what was pending is clean from now on, though it never
  // reaches the medium. Of a lost write only the growth of the file remains; it
  // is written after all when a later write touches the same page. A lost name
  // is set or removed on the medium only by a new operation on that name, or by
  // a rename that moves it on.
  void fail_sync_file(SimSlot inode);
  void fail_sync_directory(SimSlot dir);

  // --- handles keep an inode without a name alive ---
  void retain(SimSlot slot);
  void release(SimSlot slot);
  void release_all();  // the process is gone

  // --- the medium ---
  // The image of all that is certain under `model`; what is not is in log().
  const SimImage& base(CrashModel model);
  const std::vector<SimLogEntry>& log() const { return log_; }
  void compact();  // forgets what is certain under every model
  bool journaled(const SimLogEntry& entry) const { return entry.sequence <= journaled_; }
  bool durable(const SimLogEntry& entry, CrashModel model) const;
  bool lost(const SimLogEntry& entry, CrashModel model) const;
  static void apply(SimImage& image, const SimOp& op, std::uint64_t length, bool lost);

  // --- for capacity and for damage ---
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

// Counts the names that lead to each inode from the root, puts the counts right
// and drops what no name leads to. `free` gets the empty slots.
void settle_links(SimImage& image, std::vector<SimSlot>* free);

}  // namespace holdfast::inline v1
