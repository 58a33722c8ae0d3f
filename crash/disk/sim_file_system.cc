#include "crash/disk/sim_file_system.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/safe_name.h"
#include "crash/disk/sim_core.h"
#include "crash/disk/sim_crash.h"

namespace holdfast::inline v1 {
namespace {

// "/a/b" -> "a/b"; fails if the path is not absolute.
Result<std::string_view> below_root(std::string_view path) {
  if (!path.starts_with('/')) return fail(Code::invalid_argument, "the path is not absolute", std::string(path));
  path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
  return path;
}

int locate(const SimImage& image, std::string_view path, SimSlot& slot) {
  const auto below = below_root(path);
  return below ? sim_find(image, kRootSlot, *below, slot) : EINVAL;
}

template <typename Visit>
void walk(const SimImage& image, SimSlot dir, std::string& path, const Visit& visit) {
  const std::size_t length = path.size();
  for (const SimName& entry : image.at(dir)->names) {
    path.append("/").append(entry.name);
    const SimInode& inode = *image.at(entry.slot);
    visit(path, inode);
    if (inode.kind == FileKind::directory) walk(image, entry.slot, path, visit);
    path.resize(length);
  }
}

bool same(const SimImage& left, SimSlot left_slot, const SimImage& right, SimSlot right_slot) {
  const SimInode& one = *left.at(left_slot);
  const SimInode& two = *right.at(right_slot);
  if (&one == &two && one.names.empty()) return true;
  if (one.kind != two.kind || one.bytes() != two.bytes() || one.names.size() != two.names.size()) return false;
  for (std::size_t index = 0; index < one.names.size(); ++index) {
    if (one.names[index].name != two.names[index].name) return false;
    if (!same(left, one.names[index].slot, right, two.names[index].slot)) return false;
  }
  return true;
}

}  // namespace

SimFileSystem::SimFileSystem(std::uint64_t seed) : core_(std::make_shared<SimCore>(SimState(), seed)) {}
SimFileSystem::SimFileSystem(std::shared_ptr<SimCore> core) : core_(std::move(core)) {}

Result<std::unique_ptr<Directory>> SimFileSystem::open_directory(std::string_view path, bool create) {
  HOLDFAST_LET(below, below_root(path));
  const auto open = [&](std::string_view part) -> Result<std::unique_ptr<Directory>> {
    const std::lock_guard lock(core_->mutex);
    SimSlot slot = kNoSlot;
    int error = sim_follow(core_->state.live(), kRootSlot, part, slot);
    if (error == 0 && core_->state.live().at(slot)->kind != FileKind::directory) error = ENOTDIR;
    if (error != 0) return fail(file_error(error, "cannot open the directory", path));
    return sim_make_directory(core_, slot, "/" + std::string(part));
  };
  auto directory = open(below);
  for (std::size_t from = 0; create && !directory && directory.error().os_error == ENOENT && from < below.size();) {
    const std::size_t to = std::min(below.find('/', from), below.size());
    HOLDFAST_LET(parent, open(below.substr(0, from == 0 ? 0 : from - 1)));
    const std::string_view name = below.substr(from, to - from);
    if (!parent->stat(name)) {
      const auto made = parent->make_directory(name);
      if (!made && made.error().code != Code::already_exists) return fail(made.error());
      if (auto synced = parent->sync_directory(""); !synced) {
        if (made) (void)parent->remove_directory(name);
        return fail(std::move(synced).error());
      }
    }
    from = to + 1;
    if (from >= below.size()) return open(below);
  }
  return directory;
}

Result<FileSystemKind> SimFileSystem::kind_of(std::string_view path) {
  HOLDFAST_TRY(below_root(path));
  return FileSystemKind{"sim", false};
}

std::uint64_t SimFileSystem::entropy() {
  const std::lock_guard lock(core_->mutex);
  return core_->random.next();
}

std::unique_ptr<SimFileSystem> SimFileSystem::crash(CrashModel model, Chooser& chooser) const {
  const std::lock_guard lock(core_->mutex);
  auto core = std::make_shared<SimCore>(crash_state(core_->state, model, chooser), 0);
  core->byte_capacity = core_->byte_capacity;
  core->inode_capacity = core_->inode_capacity;
  core->random = core_->random;
  core->fault_random = core_->fault_random;
  return std::unique_ptr<SimFileSystem>(new SimFileSystem(std::move(core)));
}

void SimFileSystem::kill() {
  const std::lock_guard lock(core_->mutex);
  core_->kill();
}

std::unique_ptr<SimFileSystem> SimFileSystem::clone() const {
  const std::lock_guard lock(core_->mutex);
  auto core = std::make_shared<SimCore>(core_->state, 0);
  core->state.release_all();
  core->byte_capacity = core_->byte_capacity;
  core->inode_capacity = core_->inode_capacity;
  core->random = core_->random;
  core->fault_random = core_->fault_random;
  return std::unique_ptr<SimFileSystem>(new SimFileSystem(std::move(core)));
}

void SimFileSystem::set_observer(SimObserver* observer) { core_->observer.store(observer, std::memory_order_release); }

std::uint64_t SimFileSystem::calls() const { return core_->calls.load(std::memory_order_relaxed); }

void SimFileSystem::set_capacity(std::uint64_t bytes, std::uint64_t inodes) {
  const std::lock_guard lock(core_->mutex);
  core_->byte_capacity = bytes;
  core_->inode_capacity = inodes;
}

Result<void> SimFileSystem::put_file(std::string_view path, std::string_view bytes) {
  HOLDFAST_LET(rest, below_root(path));
  const std::lock_guard lock(core_->mutex);
  SimState& state = core_->state;
  SimSlot dir = kRootSlot;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const bool last = slash == std::string_view::npos;
    const std::string_view name = rest.substr(0, slash);
    SimSlot slot = state.live().at(dir)->find(name);
    if (slot == kNoSlot) state.create(dir, name, last ? FileKind::file : FileKind::directory, {}, &slot);
    const FileKind kind = state.live().at(slot)->kind;
    if (kind != (last ? FileKind::file : FileKind::directory)) return fail(file_error(EINVAL, "cannot put file", path));
    state.sync_directory(dir);
    dir = slot;
    rest = last ? std::string_view() : rest.substr(slash + 1);
  }
  if (dir == kRootSlot) return fail(file_error(EISDIR, "cannot put file", path));
  state.truncate(dir, 0);
  state.write(dir, 0, bytes);
  state.sync_file(dir);
  return {};
}

Result<void> SimFileSystem::foreign_append(std::string_view path, std::string_view bytes) {
  const std::lock_guard lock(core_->mutex);
  SimSlot slot = kNoSlot;
  if (const int error = locate(core_->state.live(), path, slot); error != 0) {
    return fail(file_error(error, "cannot append", path));
  }
  const SimInode& inode = *core_->state.live().at(slot);
  if (inode.kind != FileKind::file) return fail(file_error(EISDIR, "cannot append", path));
  core_->state.write(slot, inode.bytes().size(), bytes);
  return {};
}

Result<std::string> SimFileSystem::read_file(std::string_view path) const {
  const std::lock_guard lock(core_->mutex);
  SimSlot slot = kNoSlot;
  int error = locate(core_->state.live(), path, slot);
  if (error == 0 && core_->state.live().at(slot)->kind != FileKind::file) error = EISDIR;
  if (error != 0) return fail(file_error(error, "cannot read", path));
  return std::string(core_->state.live().at(slot)->bytes());
}

bool SimFileSystem::exists(std::string_view path) const {
  const std::lock_guard lock(core_->mutex);
  SimSlot slot = kNoSlot;
  return locate(core_->state.live(), path, slot) == 0;
}

std::vector<std::string> SimFileSystem::paths() const {
  const std::lock_guard lock(core_->mutex);
  std::vector<std::string> out;
  std::string path;
  walk(core_->state.live(), kRootSlot, path, [&](const std::string& at, const SimInode&) { out.push_back(at); });
  return out;
}

std::vector<SimEntry> SimFileSystem::tree() const {
  const std::lock_guard lock(core_->mutex);
  std::vector<SimEntry> out;
  std::string path;
  walk(core_->state.live(), kRootSlot, path, [&](const std::string& at, const SimInode& inode) {
    out.push_back({at, inode.kind, std::string(inode.bytes())});
  });
  return out;
}

bool SimFileSystem::same_tree(const SimFileSystem& other) const {
  if (core_ == other.core_) return true;
  const std::scoped_lock lock(core_->mutex, other.core_->mutex);
  return same(core_->state.live(), kRootSlot, other.core_->state.live(), kRootSlot);
}

bool SimFileSystem::flip_bit(std::string_view path, std::uint64_t bit) {
  const std::lock_guard lock(core_->mutex);
  SimSlot slot = kNoSlot;
  return locate(core_->state.live(), path, slot) == 0 && core_->state.flip_bit(slot, bit);
}

void SimFileSystem::sync_all() {
  const std::lock_guard lock(core_->mutex);
  core_->state.sync_all();
}

std::size_t SimFileSystem::pending() const {
  const std::lock_guard lock(core_->mutex);
  core_->state.compact();
  return core_->state.log().size();
}

}  // namespace holdfast::inline v1
