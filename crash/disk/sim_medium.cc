// The part of SimState for the medium: the log of pending operations, syncs,
// failed syncs, and folding certain operations into the base images.
#include <algorithm>
#include <functional>
#include <utility>

#include "crash/disk/sim_state.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::array<CrashModel, kCrashModels> kModels{CrashModel::ordered, CrashModel::ext4_nul, CrashModel::weak};

// Calls visit(slot) for every name reachable from `dir`; enters a directory if it returns true.
template <typename Visit>
void walk(const SimImage& image, SimSlot dir, const Visit& visit) {
  for (const SimName& entry : image.at(dir)->names) {
    const SimInode* inode = image.at(entry.slot);
    if (inode == nullptr) continue;
    if (visit(entry.slot) && inode->kind == FileKind::directory) walk(image, entry.slot, visit);
  }
}

}  // namespace

void SimState::record(SimOp op) {
  op.time = ++clock_;
  log_.push_back({SimShared<SimOp>(std::move(op)), next_sequence_++, false, false, false, {}});
  if (log_.size() >= compact_at_) compact();
}

void SimState::record_name(SimSlot slot, SimSlot clear_dir, std::string_view clear_name, SimSlot set_dir,
                           std::string_view set_name) {
  SimInode& inode = live_.edit(slot);
  SimOp op;
  op.kind = SimOpKind::name;
  op.inode_kind = inode.kind;
  op.inode = slot;
  op.number = inode.number;
  if (inode.kind == FileKind::symlink) op.bytes = inode.bytes();
  op.clear_dir = clear_dir;
  op.clear_name = clear_name;
  op.set_dir = set_dir;
  op.set_name = set_name;
  if (clear_dir != kNoSlot && set_dir != kNoSlot) op.needs = rename_behind(slot, clear_dir, clear_name);
  inode.ctime = clock_ + 1;
  for (const SimSlot dir : {clear_dir, set_dir}) {
    if (dir == kNoSlot) continue;
    SimInode& parent = live_.edit(dir);
    parent.mtime = parent.ctime = clock_ + 1;
  }
  record(std::move(op));
}

// The pending rename that moved the inode to this name, or 0.
std::uint64_t SimState::rename_behind(SimSlot inode, SimSlot dir, std::string_view name) const {
  for (auto entry = log_.rbegin(); entry != log_.rend(); ++entry) {
    const SimOp& op = *entry->op;
    if (op.kind != SimOpKind::name || op.inode != inode || op.set_dir != dir || op.set_name != name) continue;
    return op.clear_dir != kNoSlot ? entry->sequence : 0;
  }
  return 0;
}

void SimState::sync_file(SimSlot inode) {
  journaled_ = next_sequence_ - 1;
  for (SimLogEntry& entry : log_) {
    if (entry.op->kind != SimOpKind::name && entry.op->inode == inode) entry.strict = true;
  }
  redo_needed();
}

void SimState::sync_directory(SimSlot dir) {
  journaled_ = next_sequence_ - 1;
  for (SimLogEntry& entry : log_) {
    if (entry.op->kind == SimOpKind::name && entry.op->owner() == dir && !entry.lost_strict) entry.strict = true;
  }
  redo_needed();
}

void SimState::sync_all() {
  journaled_ = next_sequence_ - 1;
  for (SimLogEntry& entry : log_) entry.strict |= entry.op->kind != SimOpKind::name || !entry.lost_strict;
  redo_needed();
  compact();
}

// Whatever a safe rename depends on is safe too.
void SimState::redo_needed() {
  for (auto entry = log_.rbegin(); entry != log_.rend(); ++entry) {
    if (entry->op->needs == 0) continue;
    const auto needed = std::ranges::lower_bound(log_, entry->op->needs, {}, &SimLogEntry::sequence);
    if (needed == log_.end() || needed->sequence != entry->op->needs) continue;
    if (entry->strict) {
      needed->strict = true;
      needed->lost_strict = false;
    }
    if (journaled(*entry) && !entry->lost_journal) needed->lost_journal = false;
  }
}

void SimState::fail_sync_file(SimSlot inode) {
  for (SimLogEntry& entry : log_) {
    const SimOp& op = *entry.op;
    if (op.kind != SimOpKind::write || op.inode != inode || entry.strict || entry.lost_strict) continue;
    entry.lost_strict = true;
    entry.lost_journal = !journaled(entry);
    const std::uint64_t last = (op.offset + op.bytes.size() - 1) / kSimPage;
    for (std::uint64_t page = op.offset / kSimPage; page <= last; ++page) {
      const bool known = std::ranges::any_of(
          lost_pages_, [&](const LostPage& lost) { return lost.inode == inode && lost.page == page; });
      if (!known) lost_pages_.push_back({inode, page});
    }
  }
  const std::uint64_t size = live_.at(inode)->bytes().size();
  std::erase_if(lost_pages_, [&](const LostPage& lost) { return lost.inode == inode && lost.page * kSimPage >= size; });
}

void SimState::fail_sync_directory(SimSlot dir) {
  for (SimLogEntry& entry : log_) {
    if (entry.op->kind != SimOpKind::name || entry.op->owner() != dir || entry.strict) continue;
    entry.lost_strict = true;
    entry.lost_journal |= !journaled(entry);
  }
}

bool SimState::lost(const SimLogEntry& entry, CrashModel model) const {
  const bool by_journal =
      model == CrashModel::ordered || (model == CrashModel::ext4_nul && entry.op->kind == SimOpKind::name);
  return by_journal ? entry.lost_journal : entry.lost_strict;
}

bool SimState::durable(const SimLogEntry& entry, CrashModel model) const {
  if (entry.op->kind == SimOpKind::name && lost(entry, model)) return false;
  if (model == CrashModel::ordered || (model == CrashModel::ext4_nul && !entry.op->is_data())) return journaled(entry);
  return entry.strict;
}

// Applies the operation to an image; only the first `length` bytes of a write. A lost write only grows the file.
void SimState::apply(SimImage& image, const SimOp& op, std::uint64_t length, bool lost) {
  SimInode& inode = image.edit(op.inode);
  inode.number = op.number;
  if (op.kind == SimOpKind::name) {
    inode.kind = op.inode_kind;
    inode.ctime = op.time;
    if (inode.mtime == 0) inode.mtime = op.time;
    if (op.inode_kind == FileKind::symlink && !op.bytes.empty()) inode.data.edit() = op.bytes;
    for (const SimSlot dir : {op.clear_dir, op.set_dir}) {
      if (dir == kNoSlot) continue;
      SimInode& parent = image.edit(dir);
      parent.kind = FileKind::directory;
      parent.mtime = parent.ctime = op.time;
    }
    if (op.clear_dir != kNoSlot) image.edit(op.clear_dir).clear(op.clear_name);
    if (op.set_dir != kNoSlot) image.edit(op.set_dir).set(op.set_name, op.inode);
    return;
  }
  inode.ctime = op.time;
  if (op.kind == SimOpKind::mode) {
    inode.mode = static_cast<std::uint32_t>(op.offset);
    return;
  }
  inode.mtime = op.time;
  std::string& data = inode.data.edit();
  if (op.kind == SimOpKind::truncate) {
    data.resize(op.offset);
    return;
  }
  if (data.size() < op.offset + length) data.resize(op.offset + length);
  if (!lost) data.replace(op.offset, length, op.bytes, 0, length);
}

// A name must not overtake an earlier, still uncertain operation in the same
// directory, so it waits in the log. Bytes of a file never wait, because a sync
// covers all of them.
const SimImage& SimState::base(CrashModel model) {
  const auto index = static_cast<std::size_t>(model);
  std::vector<SimSlot> waiting;
  const auto waits = [&](SimSlot dir) { return dir != kNoSlot && std::ranges::find(waiting, dir) != waiting.end(); };
  for (SimLogEntry& entry : log_) {
    if (entry.folded[index]) continue;
    const SimOp& op = *entry.op;
    const bool blocked = op.kind == SimOpKind::name && (waits(op.clear_dir) || waits(op.set_dir));
    if (!blocked && durable(entry, model)) {
      apply(base_[index], op, op.bytes.size(), lost(entry, model));
      entry.folded[index] = true;
    } else if (op.kind == SimOpKind::name) {
      if (op.clear_dir != kNoSlot) waiting.push_back(op.clear_dir);
      if (op.set_dir != kNoSlot) waiting.push_back(op.set_dir);
    }
  }
  return base_[index];
}

void SimState::compact() {
  for (const CrashModel model : kModels) base(model);
  std::erase_if(log_, [](const SimLogEntry& entry) { return std::ranges::all_of(entry.folded, std::identity()); });
  collect();
  compact_at_ = std::max(kCompactAt, 2 * log_.size());
}

// Frees slots that no process, image or pending operation can reach.
void SimState::collect() {
  std::size_t count = live_.size();
  for (const SimImage& image : base_) count = std::max(count, image.size());
  std::vector<bool> used(count, false);
  used[kRootSlot] = true;
  for (SimSlot slot = 0; slot < live_.size(); ++slot) {
    if (live_.at(slot) != nullptr) used[slot] = true;
  }
  for (const SimLogEntry& entry : log_) {
    for (const SimSlot slot : {entry.op->inode, entry.op->clear_dir, entry.op->set_dir}) {
      if (slot != kNoSlot) used[slot] = true;
    }
  }
  for (const SimImage& image : base_) {
    std::vector<bool> seen(count, false);
    walk(image, kRootSlot, [&](SimSlot slot) {
      const bool first = !seen[slot];
      used[slot] = seen[slot] = true;
      return first;
    });
  }
  free_.clear();
  for (SimSlot slot = 0; slot < count; ++slot) {
    if (used[slot]) continue;
    for (SimImage& image : base_) image.drop(slot);
    free_.push_back(slot);
  }
}

void settle_links(SimImage& image, std::vector<SimSlot>* free) {
  constexpr std::size_t kSmall = 64;
  std::array<std::uint32_t, kSmall> few{};
  std::vector<std::uint32_t> many(image.size() > kSmall ? image.size() : 0);
  std::uint32_t* links = image.size() > kSmall ? many.data() : few.data();
  links[kRootSlot] = 1;
  walk(image, kRootSlot, [&](SimSlot slot) { return links[slot]++ == 0; });
  for (SimSlot slot = 0; slot < image.size(); ++slot) {
    const SimInode* inode = image.at(slot);
    if (inode != nullptr && links[slot] == 0) image.drop(slot);
    if (links[slot] == 0) {
      free->push_back(slot);
    } else if (inode != nullptr && inode->links != links[slot]) {
      image.edit(slot).links = links[slot];
    }
  }
}

}  // namespace holdfast::inline v1
