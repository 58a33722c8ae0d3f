#include "crash/disk/sim_state.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace holdfast::inline v1 {
namespace {

auto place_of(auto& names, std::string_view name) {
  return std::ranges::lower_bound(names, name, {}, [](const SimName& entry) { return std::string_view(entry.name); });
}

}  // namespace

SimSlot SimInode::find(std::string_view name) const {
  const auto place = place_of(names, name);
  return place != names.end() && place->name == name ? place->slot : kNoSlot;
}

void SimInode::set(std::string_view name, SimSlot slot) {
  const auto place = place_of(names, name);
  if (place != names.end() && place->name == name) {
    place->slot = slot;
  } else {
    names.insert(place, SimName{std::string(name), slot});
  }
}

void SimInode::clear(std::string_view name) {
  const auto place = place_of(names, name);
  if (place != names.end() && place->name == name) names.erase(place);
}

SimInode& SimImage::edit(SimSlot slot) {
  auto& inodes = inodes_.edit();
  if (slot >= inodes.size()) inodes.resize(slot + 1);
  return inodes[slot].edit();
}

void SimImage::drop(SimSlot slot) {
  if (at(slot) != nullptr) inodes_.edit()[slot] = {};
}

SimState::SimState() {
  SimInode& root = live_.edit(kRootSlot);
  root.kind = FileKind::directory;
  root.links = 1;
  root.number = 1;
  base_.fill(live_);
}

SimState::SimState(SimImage image, std::vector<SimSlot> free, const SimState& before)
    : live_(std::move(image)), free_(std::move(free)), next_number_(before.next_number_), clock_(before.clock_) {
  base_.fill(live_);
}

SimSlot SimState::take_slot() {
  if (free_.empty()) return static_cast<SimSlot>(live_.size());
  const SimSlot slot = free_.back();
  free_.pop_back();
  return slot;
}

int SimState::create(SimSlot dir, std::string_view name, FileKind kind, std::string_view target, SimSlot* made) {
  const SimInode* parent = live_.at(dir);
  if (parent == nullptr || parent->links == 0) return ENOENT;
  if (parent->find(name) != kNoSlot) return EEXIST;
  const SimSlot slot = take_slot();
  SimInode& inode = live_.edit(slot);
  inode.kind = kind;
  inode.number = next_number_++;
  inode.mtime = clock_ + 1;
  if (!target.empty()) inode.data.edit() = target;
  if (made != nullptr) *made = slot;
  return link(slot, dir, name);
}

int SimState::link(SimSlot slot, SimSlot dir, std::string_view name) {
  const SimInode* parent = live_.at(dir);
  if (parent == nullptr || parent->links == 0) return ENOENT;
  if (parent->find(name) != kNoSlot) return EEXIST;
  live_.edit(slot).links++;
  live_.edit(dir).set(name, slot);
  record_name(slot, kNoSlot, {}, dir, name);
  return 0;
}

int SimState::rename(SimSlot from_dir, std::string_view from, SimSlot to_dir, std::string_view to) {
  const SimInode* source = live_.at(from_dir);
  const SimInode* target = live_.at(to_dir);
  if (source == nullptr || target == nullptr || target->links == 0) return ENOENT;
  const SimSlot moved = source->find(from);
  if (moved == kNoSlot) return ENOENT;
  const SimSlot replaced = target->find(to);
  if (replaced == moved) return 0;  // two links of one file: POSIX leaves both
  const bool directory = live_.at(moved)->kind == FileKind::directory;
  if (replaced != kNoSlot) {
    const SimInode* old = live_.at(replaced);
    if (directory && old->kind != FileKind::directory) return ENOTDIR;
    if (!directory && old->kind == FileKind::directory) return EISDIR;
    if (directory && !old->names.empty()) return ENOTEMPTY;
  }
  if (directory && inside(to_dir, moved)) return EINVAL;
  live_.edit(from_dir).clear(from);
  live_.edit(to_dir).set(to, moved);
  record_name(moved, from_dir, from, to_dir, to);
  if (replaced != kNoSlot) unname(replaced);
  return 0;
}

int SimState::remove(SimSlot dir, std::string_view name, bool directory) {
  const SimInode* parent = live_.at(dir);
  const SimSlot slot = parent == nullptr ? kNoSlot : parent->find(name);
  if (slot == kNoSlot) return ENOENT;
  const SimInode* inode = live_.at(slot);
  if (directory && inode->kind != FileKind::directory) return ENOTDIR;
  if (!directory && inode->kind == FileKind::directory) return EISDIR;
  if (!inode->names.empty()) return ENOTEMPTY;
  live_.edit(dir).clear(name);
  record_name(slot, dir, name, kNoSlot, {});
  unname(slot);
  return 0;
}

void SimState::write(SimSlot slot, std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  SimInode& inode = live_.edit(slot);
  std::string& data = inode.data.edit();
  std::uint64_t from = offset;
  std::uint64_t to = offset + bytes.size();
  if (data.size() < to) data.resize(to);
  data.replace(offset, bytes.size(), bytes);
  // The kernel writes whole pages: touching a page that a failed sync marked
  // clean also writes the rest of it to the medium.
  if (!lost_pages_.empty()) {
    const std::uint64_t first = from / kSimPage;
    const std::uint64_t last = (to - 1) / kSimPage;
    std::erase_if(lost_pages_, [&](const LostPage& lost) {
      if (lost.inode != slot || lost.page < first || lost.page > last) return false;
      from = std::min(from, lost.page * kSimPage);
      to = std::max(to, std::min<std::uint64_t>((lost.page + 1) * kSimPage, data.size()));
      return true;
    });
  }
  SimOp op;
  op.kind = SimOpKind::write;
  op.inode = slot;
  op.number = inode.number;
  op.offset = from;
  op.bytes = data.substr(from, to - from);
  inode.mtime = inode.ctime = clock_ + 1;
  record(std::move(op));
}

void SimState::truncate(SimSlot slot, std::uint64_t size) {
  SimInode& inode = live_.edit(slot);
  inode.data.edit().resize(size);
  std::erase_if(lost_pages_, [&](const LostPage& lost) { return lost.inode == slot && lost.page * kSimPage >= size; });
  SimOp op;
  op.kind = SimOpKind::truncate;
  op.inode = slot;
  op.number = inode.number;
  op.offset = size;
  inode.mtime = inode.ctime = clock_ + 1;
  record(std::move(op));
}

void SimState::set_mode(SimSlot slot, std::uint32_t mode) {
  SimInode& inode = live_.edit(slot);
  inode.mode = mode;
  SimOp op;
  op.kind = SimOpKind::mode;
  op.inode = slot;
  op.number = inode.number;
  op.offset = mode;
  inode.ctime = clock_ + 1;
  record(std::move(op));
}

void SimState::retain(SimSlot slot) {
  if (slot >= handles_.size()) handles_.resize(slot + 1);
  handles_[slot]++;
}

void SimState::release(SimSlot slot) {
  if (--handles_[slot] == 0 && live_.at(slot)->links == 0) live_.drop(slot);
}

void SimState::release_all() {
  for (SimSlot slot = 0; slot < handles_.size(); ++slot) {
    if (handles_[slot] == 0) continue;
    handles_[slot] = 1;
    release(slot);
  }
}

void SimState::unname(SimSlot slot) {
  SimInode& inode = live_.edit(slot);
  inode.ctime = clock_;
  if (--inode.links == 0 && (slot >= handles_.size() || handles_[slot] == 0)) live_.drop(slot);
}

bool SimState::inside(SimSlot dir, SimSlot tree) const {
  if (dir == tree) return true;
  for (const SimName& entry : live_.at(tree)->names) {
    if (live_.at(entry.slot)->kind == FileKind::directory && inside(dir, entry.slot)) return true;
  }
  return false;
}

std::uint64_t SimState::used_bytes() const {
  std::uint64_t sum = 0;
  for (SimSlot slot = 0; slot < live_.size(); ++slot) {
    if (const SimInode* inode = live_.at(slot); inode != nullptr) sum += inode->bytes().size();
  }
  return sum;
}

std::uint64_t SimState::used_inodes() const {
  std::uint64_t sum = 0;
  for (SimSlot slot = 0; slot < live_.size(); ++slot) sum += live_.at(slot) != nullptr;
  return sum;
}

bool SimState::flip_bit(SimSlot slot, std::uint64_t bit) {
  const auto flip = [&](SimImage& image) {
    const SimInode* inode = image.at(slot);
    if (inode == nullptr || bit / 8 >= inode->bytes().size()) return false;
    char& byte = image.edit(slot).data.edit()[bit / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << (bit % 8)));
    return true;
  };
  compact();
  for (SimImage& image : base_) flip(image);
  return flip(live_);
}

}  // namespace holdfast::inline v1
