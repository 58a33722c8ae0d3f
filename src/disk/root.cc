#include <holdfast/root.h>

#include <algorithm>
#include <condition_variable>
#include <utility>

#include "base/id.h"
#include "base/lock_rank.h"
#include "base/parent_path.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "disk/recovery.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kQuarantineFiles = 10'000;
constexpr std::chrono::seconds kLockWait{30};
constexpr std::chrono::milliseconds kSlice{20};  // how long a waiter does not notice that it was cancelled
constexpr std::chrono::microseconds kImpatient{300};

Failure gave_up(const Error& why, std::string_view path) {
  if (why.code == Code::cancelled) return fail(why);
  return fail(Code::busy, "somebody else holds the lock", std::string(path));
}

}  // namespace

struct FairMutex::Waiter {
  std::condition_variable turn;
  bool has_it = false;
};

Result<void> FairMutex::lock(const Context& context, std::string_view path) {
  std::unique_lock guard(mutex_);
  if (!held_) {
    held_ = true;
    return {};
  }
  Waiter self;
  line_.push_back(&self);
  while (!self.turn.wait_for(guard, kSlice, [&] { return self.has_it; })) {
    auto go_on = context.check();
    if (go_on) continue;
    std::erase(line_, &self);
    return gave_up(go_on.error(), path);
  }
  return {};
}

void FairMutex::unlock() {
  const std::scoped_lock guard(mutex_);
  held_ = !line_.empty();
  if (!held_) return;
  Waiter& next = *line_.front();
  line_.pop_front();
  next.has_it = true;
  next.turn.notify_one();  // under the mutex: the waiter is gone as soon as it is free
}

std::size_t FairMutex::waiting() const {
  const std::scoped_lock guard(mutex_);
  return line_.size();
}

// Holders keep a lock for microseconds (a write) to milliseconds (a commit): ask
// again quickly at first, then stand in line. Many who ask again and again would
// take the processor from the one who holds it.
Result<void> wait_for_lock(const Context& context, File& file, LockKind kind, std::string_view path, bool line) {
  const Context bounded = context.within(kLockWait);
  auto pause = std::chrono::microseconds(5);
  while (true) {
    HOLDFAST_LET(locked, file.try_lock(kind));
    if (locked) return {};
    while (line && pause > kImpatient) {
      auto turn = file.lock_in_line(kind, kSlice);
      if (turn && *turn) return {};
      if (!turn && turn.error().code != Code::unsupported) return fail(std::move(turn).error());
      line = turn.has_value();
      if (auto go_on = bounded.check(); !go_on) {
        file.leave_line();
        return gave_up(go_on.error(), path);
      }
    }
    if (auto go_on = bounded.check(); !go_on) return gave_up(go_on.error(), path);
    bounded.clock->sleep(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

RootLock::RootLock(RootLock&& other) noexcept
    : rank_(std::exchange(other.rank_, 0)), threads_(std::move(other.threads_)), file_(std::move(other.file_)) {}

RootLock& RootLock::operator=(RootLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  rank_ = std::exchange(other.rank_, 0);
  threads_ = std::move(other.threads_);
  file_ = std::move(other.file_);
  return *this;
}

RootLock::~RootLock() { release(); }

void RootLock::release() noexcept {
  file_.reset();
  threads_.reset();
  drop_rank(std::exchange(rank_, 0));
  run_unlocked();
}

Root::Root(FileSystem& file_system, std::unique_ptr<Directory> directory, RootOptions options)
    : file_system_(file_system), directory_(std::move(directory)), options_(std::move(options)) {
  if (!options_.write) return;
  if (const auto identity = directory_->stat("")) {
    device_ = identity->device;
    inode_ = identity->inode;
  }
}

Result<std::shared_ptr<Root>> Root::open(const Context& context, FileSystem& file_system, std::string path,
                                         RootOptions options) {
  HOLDFAST_TRY(check_relative_path(options.side));
  HOLDFAST_LET(directory, file_system.open_directory(path, options.create && options.write));
  if (options.write && !options.allow_network) {
    HOLDFAST_LET(kind, file_system.kind_of(path));
    if (kind.network)
      return fail(Code::network_file_system,
                  "this directory lies on a network file system (" + kind.name +
                      "), where locks and syncs do not hold between machines; "
                      "use a local directory, or insist if only one machine writes here",
                  path);
  }
  const bool write = options.write;
  std::shared_ptr<Root> root(new Root(file_system, std::move(directory), std::move(options)));
  if (write) HOLDFAST_TRY(root->prepare(context));
  return root;
}

Result<void> Root::prepare(const Context& context) {
  Directory& dir = *directory_;
  const auto staged = dir.list(side("tmp"));
  const bool orphans = staged && !staged->empty();
  if (!orphans && !commit_pending(*this)) return {};
  auto held = lock(context);
  if (!held) {
    // A store that cannot be mended now (disk full, read-only) can still be
    // opened and read; the next change tries again and gets the error.
    if (held.error().code == Code::busy || held.error().code == Code::cancelled) return fail(std::move(held).error());
    const std::scoped_lock guard(findings_mutex_);
    findings_.push_back({side("journal"),
                         0,
                         0,
                         "recovery",
                         "an interrupted commit could not be finished yet: " + held.error().text(),
                         {}});
    return {};
  }
  // Temporary files are made only under the lock (I-14): what is there now has no owner.
  const auto left = dir.list(side("tmp"));
  if (!left) return {};
  for (const auto& orphan : *left) {
    const std::string path = side("tmp", orphan.name);
    auto gone = dir.remove(path);
    if (gone) continue;
    // In the way of nothing: new ones get new names.
    const std::scoped_lock guard(findings_mutex_);
    findings_.push_back({path, 0, 0, "recovery", "what lies here cannot be removed: " + gone.error().text(), {}});
  }
  return {};
}

std::vector<Finding> Root::findings() const {
  const std::scoped_lock guard(findings_mutex_);
  return findings_;
}

std::string Root::side(std::string_view folder) const {
  std::string path = options_.side;
  return path.append("/").append(folder);
}

std::string Root::side(std::string_view folder, std::string_view name) const {
  return side(folder).append("/").append(name);
}

Result<void> Root::ensure_directory(std::string_view path) {
  if (path.empty()) return {};
  bool known = false;
  {
    const std::scoped_lock guard(names_mutex_);
    known = durable_names_.contains(path);
  }
  // Somebody may have removed it since (an archive, a person), with all that was below it.
  if (known && (!does(Step::root_directory_look) || directory_->exists(path))) return {};
  if (known) {
    const std::string below = std::string(path) + "/";
    const std::scoped_lock guard(names_mutex_);
    std::erase_if(durable_names_, [&](const std::string& name) { return name == path || name.starts_with(below); });
  }
  HOLDFAST_TRY(ensure_directory(parent_of(path)));
  if (does(Step::root_name_anew) && distrusted(path)) {
    HOLDFAST_TRY(forget_directory(path));
    trust(path);
  }
  auto made = directory_->make_directory(path);
  if (!made && made.error().code != Code::already_exists) return made;
  // Also when it was there: its maker may have died before this sync (I-18).
  if (does(Step::root_name_sync)) {
    if (auto synced = directory_->sync_directory(parent_of(path)); !synced) {
      // A second sync would lie (I-7); making the directory anew does not.
      if (made && does(Step::root_name_anew) && !directory_->remove_directory(path)) distrust(path);
      return synced;
    }
  }
  const std::scoped_lock guard(names_mutex_);
  durable_names_.emplace(path);
  return {};
}

// So that its name can be made anew: gone when it is empty, else moved away and
// back, which gives the name a new operation to sync.
Result<void> Root::forget_directory(std::string_view path) {
  auto gone = directory_->remove_directory(path);
  if (gone || gone.error().code == Code::not_found) return {};
  const std::string away = unique_name(std::string(path) + ".away.");
  HOLDFAST_TRY(directory_->rename(path, away));
  return directory_->rename(away, path);
}

Result<void> Root::sync_name(std::string_view path) {
  const std::string_view parent = parent_of(path);
  HOLDFAST_TRY(ensure_directory(parent));
  return directory_->sync_directory(parent);
}

void Root::distrust(std::string_view what) {
  const std::scoped_lock guard(names_mutex_);
  distrusted_.emplace(what);
  if (const auto known = durable_names_.find(what); known != durable_names_.end()) durable_names_.erase(known);
  distrusted_count_ = distrusted_.size();
}

bool Root::distrusted(std::string_view what) const {
  if (distrusted_count_ == 0) return false;
  const std::scoped_lock guard(names_mutex_);
  return distrusted_.contains(what);
}

void Root::trust(std::string_view what) {
  const std::scoped_lock guard(names_mutex_);
  if (const auto found = distrusted_.find(what); found != distrusted_.end()) distrusted_.erase(found);
  distrusted_count_ = distrusted_.size();
}

Result<void> Root::sync_name_once(std::string_view path, std::uint64_t inode) {
  const std::string name = std::string(path) + "#" + std::to_string(inode);
  {
    const std::scoped_lock guard(names_mutex_);
    if (durable_names_.contains(name)) return {};
  }
  HOLDFAST_TRY(sync_name(path));
  const std::scoped_lock guard(names_mutex_);
  durable_names_.emplace(name);
  return {};
}

Result<RootLock> Root::lock(const Context& context) {
  while (true) {
    HOLDFAST_LET(held, lock_file(context));
    if (!does(Step::commit_recovery) || !commit_pending(*this)) return held;
    std::vector<Finding> found;
    auto outcome = recover_commit(context, *this, found);
    {
      const std::scoped_lock guard(findings_mutex_);
      findings_.insert(findings_.end(), found.begin(), found.end());
    }
    if (!outcome) return fail(std::move(outcome).error());
    if (!*outcome) return held;
    // The journal is in another root, whose lock comes first.
    held = RootLock();
    HOLDFAST_TRY(recover_home(context, *this, **outcome));
  }
}

void Root::forget_names() {
  const std::scoped_lock guard(names_mutex_);
  durable_names_.clear();
}

Result<RootLock> Root::lock_file(const Context& context) {
  const Context bounded = context.within(kLockWait);
  RootLock lock;
  lock.rank_ = hold_rank(LockRank::root, {device_, inode_});
  if (does(Step::document_lock)) {
    HOLDFAST_TRY(lock_mutex_.lock(bounded, path()));
    lock.threads_.reset(&lock_mutex_);
  }
  const std::string name = side("lock");
  bool forgotten = false;
  while (true) {
    auto file = directory_->open(name, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      HOLDFAST_TRY(ensure_directory(options_.side));
      file = directory_->open(name, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
      if (!file && file.error().code == Code::not_found && !std::exchange(forgotten, true)) {
        forget_names();  // somebody deleted the side folder
        continue;
      }
    }
    if (!file) return fail(std::move(file).error());
    if (does(Step::document_lock)) HOLDFAST_TRY(wait_for_lock(bounded, **file, LockKind::exclusive, name));
    // The side folder may have been deleted while we waited: a lock on a
    // nameless file protects nothing.
    const auto held = (*file)->stat();
    const auto named = directory_->stat(name);
    const bool there = held && named && held->same_file(*named);
    if (there || !does(Step::root_inode_check)) {
      lock.file_ = std::move(*file);
      return lock;
    }
    HOLDFAST_TRY(bounded.check());
    forget_names();
  }
}

Result<std::string> Root::quarantine(const Context& context, std::string_view source_path, std::uint64_t offset,
                                     std::string_view bytes, std::string_view reason) {
  const std::string folder = side("corrupt");
  HOLDFAST_TRY(ensure_directory(folder));
  HOLDFAST_LET(entries, directory_->list(folder));
  if (entries.size() >= kQuarantineFiles)
    return fail(Code::disk_full, "the quarantine is full: look through it and empty it", folder);
  std::string name = compact_utc(context.clock->now());
  name.append(".").append(reason).append(".").append(std::to_string(offset)).append(".");
  name.append(base32_letters(file_system_.entropy(), 6)).append(".");
  const std::string source = encode_name(source_path);
  name.append(source.substr(source.size() - std::min<std::size_t>(source.size(), 160)));
  std::string path = side("corrupt", name);
  HOLDFAST_LET(file, directory_->open(path, OpenMode::create_update));
  auto kept = file->write_at(0, bytes);
  if (kept && does(Step::quarantine_sync)) kept = file->sync();
  if (kept && does(Step::quarantine_name_sync)) kept = sync_name(path);
  if (kept) return path;
  (void)directory_->remove(path);  // half a copy is none, and every attempt would leave one
  return fail(std::move(kept).error());
}

std::string Root::unique_name(std::string_view prefix) const {
  return std::string(prefix) + base32_letters(file_system_.entropy(), 12);
}

}  // namespace holdfast::inline v1
