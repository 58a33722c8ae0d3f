// An open directory of the simulated file system.
#include <cerrno>
#include <utility>

#include "base/safe_name.h"
#include "crash/disk/sim_core.h"

namespace holdfast::inline v1 {
namespace {

class SimDirectory final : public Directory {
 public:
  // Requires the core's lock.
  SimDirectory(std::shared_ptr<SimCore> core, SimSlot slot, std::string path)
      : core_(std::move(core)), slot_(slot), path_(std::move(path)), epoch_(core_->epoch) {
    core_->state.retain(slot_);
  }

  ~SimDirectory() override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ == core_->epoch) core_->state.release(slot_);
  }

  const std::string& path() const override { return path_; }

  Result<std::unique_ptr<File>> open(std::string_view path, OpenMode mode) override {
    HOLDFAST_TRY(check_relative_path(path));
    if (mode == OpenMode::create_append || mode == OpenMode::create_update) return create(path, mode);
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(absolute(path)));
    SimSlot slot = kNoSlot;
    const int error =
        mode == OpenMode::read ? sim_follow(image(), slot_, path, slot) : sim_find(image(), slot_, path, slot);
    if (error != 0) return fail(file_error(error, "cannot open", absolute(path)));
    const SimInode& inode = *image().at(slot);
    if (inode.kind == FileKind::symlink) return fail(file_error(ELOOP, "cannot open", absolute(path)));
    if (inode.kind != FileKind::file) return fail(Code::unsafe_path, "not a plain file", absolute(path));
    if (mode != OpenMode::read && inode.links != 1) {
      return fail(Code::unsafe_path, "the file has more than one link", absolute(path));
    }
    return sim_make_file(core_, slot, mode, absolute(path));
  }

  // Like the real one, follows symbolic links above the last name.
  Result<FileStat> stat(std::string_view path) override {
    const auto told = [](const SimInode& inode) -> Result<FileStat> { return sim_stat(inode); };
    return look(path, "cannot examine", true, told);
  }

  Result<std::vector<DirectoryEntry>> list(std::string_view path) override {
    return look(path, "cannot list", false, [&](const SimInode& inode) -> Result<std::vector<DirectoryEntry>> {
      if (inode.kind == FileKind::symlink) return fail(file_error(ELOOP, "cannot list", absolute(path)));
      if (inode.kind != FileKind::directory) return fail(file_error(ENOTDIR, "cannot list", absolute(path)));
      std::vector<DirectoryEntry> entries;
      for (const SimName& name : inode.names) entries.push_back({name.name, image().at(name.slot)->kind});
      return entries;
    });
  }

  Result<std::string> read_symlink(std::string_view path) override {
    return look(path, "cannot read the symbolic link", false, [&](const SimInode& inode) -> Result<std::string> {
      if (inode.kind != FileKind::symlink) {
        return fail(file_error(EINVAL, "cannot read the symbolic link", absolute(path)));
      }
      return std::string(inode.bytes());
    });
  }

  Result<void> make_directory(std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    return change(SimCallKind::make_directory, path, {}, [&](SimState& state, SimSlot dir, std::string_view name) {
      return core_->inode_left() ? state.create(dir, name, FileKind::directory, {}) : ENOSPC;
    });
  }

  Result<void> make_symlink(std::string_view target, std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    if (target.empty() || target.contains('\0'))
      return fail(Code::invalid_argument, "not a valid target for a symbolic link", absolute(path));
    return change(SimCallKind::make_symlink, path, {}, [&](SimState& state, SimSlot dir, std::string_view name) {
      return core_->inode_left() ? state.create(dir, name, FileKind::symlink, target) : ENOSPC;
    });
  }

  Result<void> make_link(std::string_view from, std::string_view to) override {
    HOLDFAST_TRY(check_relative_path(from));
    HOLDFAST_TRY(check_relative_path(to));
    return change(SimCallKind::make_link, from, to, [&](SimState& state, SimSlot dir, std::string_view name) {
      const SimSlot inode = image().at(dir)->find(name);
      if (inode == kNoSlot) return ENOENT;
      if (image().at(inode)->kind == FileKind::directory) return EPERM;
      if (const int error = sim_parent(image(), slot_, to, dir, name); error != 0) return error;
      return state.link(inode, dir, name);
    });
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    HOLDFAST_TRY(check_relative_path(from));
    HOLDFAST_TRY(check_relative_path(to));
    return change(SimCallKind::rename, from, to, [&](SimState& state, SimSlot dir, std::string_view name) {
      SimSlot to_dir = kNoSlot;
      std::string_view to_name;
      if (const int error = sim_parent(image(), slot_, to, to_dir, to_name); error != 0) return error;
      return state.rename(dir, name, to_dir, to_name);
    });
  }

  Result<void> remove(std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    return change(SimCallKind::remove, path, {},
                  [](SimState& state, SimSlot dir, std::string_view name) { return state.remove(dir, name, false); });
  }

  Result<void> remove_directory(std::string_view path) override {
    HOLDFAST_TRY(check_relative_path(path));
    return change(SimCallKind::remove_directory, path, {},
                  [](SimState& state, SimSlot dir, std::string_view name) { return state.remove(dir, name, true); });
  }

  Result<void> sync_directory(std::string_view path) override {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    std::unique_lock<std::mutex> lock;
    SimCall call{SimCallKind::sync_directory, absolute(path), {}, 0, 0};
    // The injected failure needs to know which directory is affected.
    SimSlot slot = kNoSlot;
    {
      const std::lock_guard look_first(core_->mutex);
      if (sim_find(image(), slot_, path, slot) != 0) slot = kNoSlot;
    }
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot));
    int error = sim_find(image(), slot_, path, slot);
    if (error == 0 && image().at(slot)->kind == FileKind::symlink) error = ELOOP;
    if (error == 0 && image().at(slot)->kind != FileKind::directory) error = ENOTDIR;
    if (error == 0) core_->state.sync_directory(slot);
    return core_->leave(lock, call, injection, error);
  }

 private:
  const SimImage& image() const { return core_->state.live(); }

  std::string absolute(std::string_view path) const {
    std::string out = path_;
    if (!path.empty()) {
      if (!out.ends_with('/')) out.push_back('/');
      out.append(path);
    }
    return out;
  }

  // Returns `answer` for the inode at `path`, which may be "".
  template <typename Answer>
  auto look(std::string_view path, const char* attempt, bool follow, const Answer& answer)
      -> decltype(answer(std::declval<const SimInode&>())) {
    if (!path.empty()) HOLDFAST_TRY(check_relative_path(path));
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(absolute(path)));
    SimSlot slot = kNoSlot;
    int error = sim_find(image(), slot_, path, slot);
    if (error == ELOOP && follow) {
      const std::size_t slash = path.rfind('/');  // exists, because there is a link above
      SimSlot dir = kNoSlot;
      error = sim_follow(image(), slot_, path.substr(0, slash), dir);
      if (error == 0) error = sim_find(image(), dir, path.substr(slash + 1), slot);
    }
    if (error != 0) return fail(file_error(error, attempt, absolute(path)));
    return answer(*image().at(slot));
  }

  // Changes names: calls action(state, directory, last name) for `path`.
  template <typename Action>
  Result<void> change(SimCallKind kind, std::string_view path, std::string_view to, const Action& action) {
    std::unique_lock<std::mutex> lock;
    SimCall call{kind, absolute(path), to.empty() ? std::string() : absolute(to), 0, 0};
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    SimSlot dir = kNoSlot;
    std::string_view name;
    int error = sim_parent(image(), slot_, path, dir, name);
    if (error == 0) error = action(core_->state, dir, name);
    return core_->leave(lock, call, injection, error);
  }

  Result<std::unique_ptr<File>> create(std::string_view path, OpenMode mode) {
    std::unique_ptr<File> file;
    HOLDFAST_TRY(change(SimCallKind::create, path, {}, [&](SimState& state, SimSlot dir, std::string_view name) {
      if (!core_->inode_left()) return ENOSPC;
      SimSlot slot = kNoSlot;
      const int error = state.create(dir, name, FileKind::file, {}, &slot);
      if (error == 0) file = sim_make_file(core_, slot, mode, absolute(path));
      return error;
    }));
    return file;
  }

  const std::shared_ptr<SimCore> core_;
  const SimSlot slot_;
  const std::string path_;
  const std::uint64_t epoch_;
};

}  // namespace

std::unique_ptr<Directory> sim_make_directory(std::shared_ptr<SimCore> core, SimSlot slot, std::string path) {
  return std::make_unique<SimDirectory>(std::move(core), slot, std::move(path));
}

}  // namespace holdfast::inline v1
