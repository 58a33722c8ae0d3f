#include "crash/disk/sim_core.h"

#include <algorithm>
#include <cerrno>

#include "base/another_process.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kMaxLinks = 40;  // like Linux: more symbolic links in one path are a loop

std::string_view take_component(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view first = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return first;
}

int step(const SimImage& image, SimSlot dir, std::string_view name, SimSlot& found) {
  const SimInode* inode = image.at(dir);
  if (inode == nullptr) return ENOENT;
  if (inode->kind == FileKind::symlink) return ELOOP;
  if (inode->kind != FileKind::directory) return ENOTDIR;
  found = inode->find(name);
  return found == kNoSlot ? ENOENT : 0;
}

SimSlot parent_of(const SimImage& image, SimSlot child) {
  for (SimSlot slot = 0; slot < image.size(); ++slot) {
    const SimInode* inode = image.at(slot);
    if (inode != nullptr && std::ranges::find(inode->names, child, &SimName::slot) != inode->names.end()) return slot;
  }
  return kRootSlot;
}

}  // namespace

const char* sim_attempt(SimCallKind kind) {
  switch (kind) {
    case SimCallKind::create: return "cannot create";
    case SimCallKind::append: return "cannot append";
    case SimCallKind::write_at: return "cannot write";
    case SimCallKind::truncate: return "cannot truncate";
    case SimCallKind::set_mode: return "cannot set the mode";
    case SimCallKind::sync: return "cannot sync";
    case SimCallKind::make_directory: return "cannot create the directory";
    case SimCallKind::make_link: return "cannot link";
    case SimCallKind::make_symlink: return "cannot create the symbolic link";
    case SimCallKind::rename: return "cannot rename";
    case SimCallKind::remove: return "cannot remove";
    case SimCallKind::remove_directory: return "cannot remove the directory";
    case SimCallKind::sync_directory: return "cannot sync the directory";
  }
  return "cannot";
}

Error sim_killed(std::string_view path) { return {Code::io_error, "process was killed", std::string(path), EIO}; }

Result<Injection> SimCore::enter(std::unique_lock<std::mutex>& lock, SimCall& call, std::uint64_t caller,
                                 SimSlot slot) {
  call.index = calls.fetch_add(1, std::memory_order_relaxed);
  Injection injection;
  if (SimObserver* watcher = observer.load(std::memory_order_acquire); watcher != nullptr) {
    const AnotherProcess looks_on;
    injection = watcher->before(call);
  }
  lock = std::unique_lock(mutex);
  if (injection.kind == Injection::Kind::kill_before && caller == epoch) kill();
  if (caller != epoch) {
    lock.unlock();
    return fail(sim_killed(call.path));
  }
  if (injection.kind == Injection::Kind::fail) {
    if (injection.error != EINTR && call.kind == SimCallKind::sync) state.fail_sync_file(slot);
    if (injection.error != EINTR && call.kind == SimCallKind::sync_directory) state.fail_sync_directory(slot);
    lock.unlock();
    return fail(file_error(injection.error, sim_attempt(call.kind), call.path));
  }
  return injection;
}

Result<void> SimCore::leave(std::unique_lock<std::mutex>& lock, const SimCall& call, const Injection& injection,
                            int error) {
  const bool killed = injection.kind == Injection::Kind::kill_inside;
  if (killed) kill();
  lock.unlock();
  if (killed) return fail(sim_killed(call.path));
  if (error != 0) return fail(file_error(error, sim_attempt(call.kind), call.path));
  if (SimObserver* watcher = observer.load(std::memory_order_acquire); watcher != nullptr) {
    const AnotherProcess looks_on;
    watcher->after(call);
  }
  return {};
}

void SimCore::kill() {
  ++epoch;
  locks.clear();
  state.release_all();
}

std::uint64_t SimCore::room() const {
  if (byte_capacity == Chooser::kUnlimited) return byte_capacity;
  const std::uint64_t used = state.used_bytes();
  return byte_capacity > used ? byte_capacity - used : 0;
}

bool SimCore::inode_left() const {
  return inode_capacity == Chooser::kUnlimited || state.used_inodes() < inode_capacity;
}

int sim_parent(const SimImage& image, SimSlot root, std::string_view path, SimSlot& dir, std::string_view& name) {
  const std::size_t slash = path.rfind('/');
  name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const int error = sim_find(image, root, slash == std::string_view::npos ? "" : path.substr(0, slash), dir);
  if (error != 0) return error;
  if (image.at(dir)->kind == FileKind::symlink) return ELOOP;
  if (image.at(dir)->kind != FileKind::directory) return ENOTDIR;
  return 0;
}

int sim_find(const SimImage& image, SimSlot root, std::string_view path, SimSlot& found) {
  found = root;
  while (!path.empty()) {
    const SimSlot dir = found;
    if (const int error = step(image, dir, take_component(path), found); error != 0) return error;
  }
  return image.at(found) == nullptr ? ENOENT : 0;
}

int sim_follow(const SimImage& image, SimSlot root, std::string_view path, SimSlot& found) {
  found = root;
  std::string rest(path);
  int links = 0;
  while (!rest.empty()) {
    std::string_view view = rest;
    const std::string_view name = take_component(view);
    const SimSlot dir = found;
    if (name.empty() || name == ".") {
      rest = std::string(view);
      continue;
    }
    if (name == "..") {
      found = parent_of(image, dir);
      rest = std::string(view);
      continue;
    }
    if (const int error = step(image, dir, name, found); error != 0) return error;
    std::string left(view);
    if (const SimInode* inode = image.at(found); inode->kind == FileKind::symlink) {
      if (++links > kMaxLinks) return ELOOP;
      std::string target(inode->bytes());
      found = target.starts_with('/') ? kRootSlot : dir;
      if (target.empty()) return ENOENT;
      if (!left.empty()) target.append("/").append(left);
      left = std::move(target);
    }
    rest = std::move(left);
  }
  return image.at(found) == nullptr ? ENOENT : 0;
}

FileStat sim_stat(const SimInode& inode) {
  constexpr std::int64_t kBoot = 1'700'000'000'000'000'000;  // arbitrary; the clock only counts operations
  constexpr std::int64_t kTick = 1'000'000;
  const bool directory = inode.kind == FileKind::directory;
  return {.kind = inode.kind,
          .device = 1,
          .inode = inode.number,
          .size = inode.bytes().size(),
          .links = directory ? std::uint64_t{inode.links} * 2 : inode.links,
          .mode = inode.mode != kNoMode ? inode.mode
                  : directory           ? 0700u
                                        : 0600u,
          .owner = 0,
          .mtime_ns = kBoot + inode.mtime * kTick,
          .ctime_ns = kBoot + inode.ctime * kTick};
}

}  // namespace holdfast::inline v1
