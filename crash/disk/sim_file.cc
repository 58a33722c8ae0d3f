// An open file of the simulated file system.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "crash/disk/sim_core.h"
#include "disk/reserve_space.h"

namespace holdfast::inline v1 {
namespace {

class SimFile final : public File, public ReservesSpace {
 public:
  // Requires the core's lock.
  SimFile(std::shared_ptr<SimCore> core, SimSlot slot, OpenMode mode, std::string path)
      : core_(std::move(core)), slot_(slot), mode_(mode), path_(std::move(path)), epoch_(core_->epoch) {
    core_->state.retain(slot_);
  }

  ~SimFile() override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return;
    drop_lock();
    core_->state.release(slot_);
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(path_));
    const std::string_view bytes = core_->state.live().at(slot_)->bytes();
    return offset < bytes.size() ? bytes.copy(into.data(), into.size(), offset) : 0;
  }

  Result<std::size_t> append(std::string_view bytes) override {
    if (mode_ != OpenMode::append && mode_ != OpenMode::create_append) return wrong_mode("appending");
    std::unique_lock<std::mutex> lock;
    SimCall call = announce(SimCallKind::append, bytes.size());
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    const std::uint64_t fits = std::min<std::uint64_t>(core_->room(), bytes.size());
    const std::uint64_t count = std::min(portion(injection, bytes.size()), fits);
    core_->state.write(slot_, size(), bytes.substr(0, count));
    if (count > 0) append_end_ = size();
    HOLDFAST_TRY(core_->leave(lock, call, injection, count == 0 && !bytes.empty() ? ENOSPC : 0));
    return count;
  }

  Result<void> reserve(std::uint64_t bytes) override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(path_));
    if (core_->room() < bytes) return fail(file_error(ENOSPC, sim_attempt(SimCallKind::append), path_));
    return {};
  }

  std::uint64_t append_end() const override { return append_end_; }

  Result<void> write_at(std::uint64_t offset, std::string_view bytes) override {
    if (mode_ != OpenMode::update && mode_ != OpenMode::create_update) return wrong_mode("writing in place");
    std::unique_lock<std::mutex> lock;
    SimCall call = announce(SimCallKind::write_at, bytes.size());
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    const std::uint64_t room = core_->room();
    const std::uint64_t end = size() > Chooser::kUnlimited - room ? Chooser::kUnlimited : size() + room;
    const std::uint64_t fits = offset >= end ? 0 : std::min<std::uint64_t>(end - offset, bytes.size());
    const std::uint64_t count = std::min(portion(injection, bytes.size()), fits);
    core_->state.write(slot_, offset, bytes.substr(0, count));
    const int error = injection.error != 0 ? injection.error : ENOSPC;
    return core_->leave(lock, call, injection, count < bytes.size() ? error : 0);
  }

  Result<void> truncate(std::uint64_t new_size) override {
    if (mode_ == OpenMode::read) return fail(file_error(EINVAL, sim_attempt(SimCallKind::truncate), path_));
    std::unique_lock<std::mutex> lock;
    SimCall call = announce(SimCallKind::truncate, new_size);
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    core_->state.truncate(slot_, new_size);
    return core_->leave(lock, call, injection, 0);
  }

  Result<void> sync() override {
    std::unique_lock<std::mutex> lock;
    SimCall call = announce(SimCallKind::sync, 0);
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    core_->state.sync_file(slot_);
    return core_->leave(lock, call, injection, 0);
  }

  Result<void> set_mode(std::uint32_t mode) override {
    std::unique_lock<std::mutex> lock;
    SimCall call = announce(SimCallKind::set_mode, 0);
    HOLDFAST_LET(injection, core_->enter(lock, call, epoch_, slot_));
    core_->state.set_mode(slot_, mode & 07777u);
    return core_->leave(lock, call, injection, 0);
  }

  Result<FileStat> stat() override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(path_));
    return sim_stat(*core_->state.live().at(slot_));
  }

  // Like flock: changing the kind of a lock first releases the old one, which is lost if the new one is not available.
  Result<bool> try_lock(LockKind kind) override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ != core_->epoch) return fail(sim_killed(path_));
    drop_lock();
    const bool held = std::ranges::any_of(core_->locks, [&](const SimCore::Lock& other) {
      return other.inode == slot_ && (kind == LockKind::exclusive || other.kind == LockKind::exclusive);
    });
    if (!held) core_->locks.push_back({slot_, this, kind});
    return !held;
  }

  void unlock() override {
    const std::lock_guard lock(core_->mutex);
    if (epoch_ == core_->epoch) drop_lock();
  }

 private:
  SimCall announce(SimCallKind kind, std::uint64_t bytes) const { return {kind, path_, {}, bytes, 0}; }
  Failure wrong_mode(std::string_view use) const {
    return fail(Code::invalid_argument, "the file was not opened for " + std::string(use), path_);
  }
  std::uint64_t size() const { return core_->state.live().at(slot_)->bytes().size(); }
  void drop_lock() {
    std::erase_if(core_->locks, [this](const SimCore::Lock& held) { return held.owner == this; });
  }

  // How many of `size` bytes the injection allows.
  std::uint64_t portion(const Injection& injection, std::uint64_t size) {
    switch (injection.kind) {
      case Injection::Kind::short_write:
        return injection.bytes == Injection::kDefault ? (size + 1) / 2 : std::min(size, injection.bytes);
      case Injection::Kind::kill_inside:
        return injection.bytes == Injection::kDefault ? core_->fault_random.next() % (size + 1)
                                                      : std::min(size, injection.bytes);
      default: return size;
    }
  }

  const std::shared_ptr<SimCore> core_;
  const SimSlot slot_;
  const OpenMode mode_;
  const std::string path_;
  const std::uint64_t epoch_;
  std::uint64_t append_end_ = 0;
};

}  // namespace

std::unique_ptr<File> sim_make_file(std::shared_ptr<SimCore> core, SimSlot slot, OpenMode mode, std::string path) {
  return std::make_unique<SimFile>(std::move(core), slot, mode, std::move(path));
}

}  // namespace holdfast::inline v1
