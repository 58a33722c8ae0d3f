#include <holdfast/root.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "base/id.h"
#include "base/lock_rank.h"
#include "base/parent_path.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "disk/lock_wait.h"
#include "disk/quarantine_name.h"
#include "disk/real_file_system.h"
#include "disk/recovery.h"
#include "disk/steps.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kQuarantineFiles = 10'000;

// Lets the directory's name be created again: removes the directory if it is empty,
// else renames it away and back, which gives the name a new operation to sync.
Result<void> forget_directory(const Root& root, std::string_view path) {
  auto gone = root.directory().remove_directory(path);
  if (gone || gone.error().code == Code::not_found) return {};
  const std::string away = root.unique_name(std::string(path) + ".away.");
  HOLDFAST_TRY(root.directory().rename(path, away));
  return root.directory().rename(away, path);
}

// True for the first directory of a root's side folder, which is in the middle of files that people keep under
// version control.
bool is_beside_sources(std::string_view side, std::string_view path) {
  const bool begins = path == ".holdfast" || path.ends_with("/.holdfast");
  if (!begins && path != ".holdfast/.side") return false;
  const bool inside = side.size() > path.size() && side.starts_with(path) && side[path.size()] == '/';
  if (path == ".holdfast" && side.starts_with(".holdfast/.side")) return false;  // perhaps a separate store
  return side == path || inside;
}

// Best effort; nothing relies on the file.
void hide_from_git(Directory& directory, std::string_view path) {
  const std::string name = std::string(path) + "/.gitignore";
  if (directory.exists(name)) return;
  const auto file = directory.open(name, OpenMode::create_update);
  if (file) (void)(*file)->write_at(0, "*\n");
}

}  // namespace

struct HOLDFAST_HIDDEN RootLock::Impl {
  ~Impl() {
    const bool used = file != nullptr;
    file.reset();
    if (threads != nullptr) threads->unlock(used);  // after the file lock
    rank.drop();
    run_deferred_work();
  }

  RankHold rank;  // records the lock among those its thread holds
  FairMutex* threads = nullptr;
  std::unique_ptr<File> file;
};

RootLock::RootLock() = default;
RootLock::RootLock(RootLock&& other) noexcept = default;
RootLock& RootLock::operator=(RootLock&& other) noexcept = default;
RootLock::~RootLock() = default;

struct HOLDFAST_HIDDEN Root::Impl {
  FileSystem& file_system;
  std::unique_ptr<Directory> directory;
  RootOptions options;
  LockOrder order = {};       // rank of the directory among roots
  FairMutex lock_mutex = {};  // flock is per open file; this mutex queues the threads
  mutable std::mutex findings_mutex = {};
  std::vector<Finding> findings = {};
  mutable std::mutex names_mutex = {};
  std::atomic<std::size_t> distrusted_count = 0;
  std::set<std::string, std::less<>> distrusted = {};
  std::set<std::string, std::less<>> durable_names = {};  // made durable by us

  void note(Finding finding) {
    const std::scoped_lock guard(findings_mutex);
    findings.push_back(std::move(finding));
  }
  void forget_names() {
    const std::scoped_lock guard(names_mutex);
    durable_names.clear();
  }
  Result<RootLock> lock_file(Root& root, const Context& context);
  Result<std::optional<JournalRoot>> lock_here(Root& root, const Context& context, RootLock& lock);
};

Root::Root(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  if (!impl_->options.write) return;
  if (const auto identity = impl_->directory->stat("")) impl_->order = {identity->device, identity->inode};
}

Root::~Root() = default;

FileSystem& Root::file_system() const { return impl_->file_system; }
Directory& Root::directory() const { return *impl_->directory; }
const std::string& Root::path() const { return impl_->directory->path(); }
const RootOptions& Root::options() const { return impl_->options; }

Result<std::shared_ptr<Root>> Root::open(const Context& context, FileSystem& file_system, std::string path,
                                         RootOptions options) {
  HOLDFAST_TRY(check_relative_path(options.side));
  auto* const foreign = options.write ? nullptr : dynamic_cast<OpensForeign*>(&file_system);
  HOLDFAST_LET(directory, foreign != nullptr ? foreign->open_to_read(path)
                                             : file_system.open_directory(path, options.create && options.write));
  if (options.write && !options.allow_network) {
    HOLDFAST_LET(kind, file_system.kind_of(path));
    if (kind.network)
      return fail(Code::network_file_system,
                  "this directory is on a network file system (" + kind.name +
                      "), where locks and syncs are not reliable between machines; "
                      "use a local directory, or allow network file systems if only one machine writes here",
                  path);
  }
  const bool write = options.write;
  std::unique_ptr<Impl> impl(new Impl{file_system, std::move(directory), std::move(options)});
  std::shared_ptr<Root> root(new Root(std::move(impl)));
  if (write) HOLDFAST_TRY(root->prepare(context));
  return root;
}

Result<void> Root::prepare(const Context& context) {
  Directory& dir = *impl_->directory;
  const auto staged = dir.list(side("tmp"));
  const bool orphans = staged && !staged->empty();
  if (!orphans && !commit_pending(*this)) return {};
  auto held = lock(context);
  if (!held) {
    // A store that cannot be repaired now (disk full, read-only) can still be
    // opened and read; the next change tries again and fails with the error.
    if (held.error().code == Code::busy || held.error().code == Code::cancelled) return fail(std::move(held).error());
    impl_->note({.file = side("journal"),
                 .kind = "recovery",
                 .consequence = "an interrupted commit could not be finished yet: " + held.error().text()});
    return {};
  }
  // Temporary files are only created under the lock (I-14), so the files that are there now have no owner.
  const auto left = dir.list(side("tmp"));
  if (!left) return {};
  for (const auto& orphan : *left) {
    const std::string path = side("tmp", orphan.name);
    auto gone = dir.remove(path);
    if (gone) continue;
    // Harmless: new temporary files get new names.
    impl_->note(
        {.file = path, .kind = "recovery", .consequence = "this leftover cannot be removed: " + gone.error().text()});
  }
  return {};
}

std::vector<Finding> Root::findings() const {
  const std::scoped_lock guard(impl_->findings_mutex);
  return impl_->findings;
}

std::string Root::side(std::string_view folder) const {
  std::string path = impl_->options.side;
  return path.append("/").append(folder);
}

std::string Root::side(std::string_view folder, std::string_view name) const {
  return side(folder).append("/").append(name);
}

Result<void> Root::ensure_directory(std::string_view path) {
  if (path.empty()) return {};
  bool known = false;
  {
    const std::scoped_lock guard(impl_->names_mutex);
    known = impl_->durable_names.contains(path);
  }
  // Somebody (an archiver, a person) may have removed it since, with everything below it.
  if (known && (!does(Step::root_directory_look) || impl_->directory->exists(path))) return {};
  if (known) {
    const std::string below = std::string(path) + "/";
    const std::scoped_lock guard(impl_->names_mutex);
    std::erase_if(impl_->durable_names,
                  [&](const std::string& name) { return name == path || name.starts_with(below); });
  }
  HOLDFAST_TRY(ensure_directory(parent_of(path)));
  if (does(Step::root_name_anew) && distrusted(path)) {
    HOLDFAST_TRY(forget_directory(*this, path));
    trust(path);
  }
  auto made = impl_->directory->make_directory(path);
  if (!made && made.error().code != Code::already_exists) return made;
  // Also if it existed: its creator may have died before this sync (I-18).
  if (does(Step::root_name_sync)) {
    if (auto synced = impl_->directory->sync_directory(parent_of(path)); !synced) {
      // A second sync cannot be trusted (I-7); creating the directory again can.
      if (made && does(Step::root_name_anew) && !impl_->directory->remove_directory(path)) distrust(path);
      return synced;
    }
  }
  if (is_beside_sources(impl_->options.side, path)) hide_from_git(*impl_->directory, path);
  const std::scoped_lock guard(impl_->names_mutex);
  impl_->durable_names.emplace(path);
  return {};
}

Result<void> Root::sync_name(std::string_view path) {
  const std::string_view parent = parent_of(path);
  HOLDFAST_TRY(ensure_directory(parent));
  return impl_->directory->sync_directory(parent);
}

void Root::distrust(std::string_view what) {
  const std::scoped_lock guard(impl_->names_mutex);
  impl_->distrusted.emplace(what);
  if (const auto known = impl_->durable_names.find(what); known != impl_->durable_names.end())
    impl_->durable_names.erase(known);
  impl_->distrusted_count = impl_->distrusted.size();
}

bool Root::distrusted(std::string_view what) const {
  if (impl_->distrusted_count == 0) return false;
  const std::scoped_lock guard(impl_->names_mutex);
  return impl_->distrusted.contains(what);
}

void Root::trust(std::string_view what) {
  const std::scoped_lock guard(impl_->names_mutex);
  if (const auto found = impl_->distrusted.find(what); found != impl_->distrusted.end()) impl_->distrusted.erase(found);
  impl_->distrusted_count = impl_->distrusted.size();
}

Result<void> Root::sync_name_once(std::string_view path, std::uint64_t inode) {
  const std::string name = std::string(path) + "#" + std::to_string(inode);
  {
    const std::scoped_lock guard(impl_->names_mutex);
    if (impl_->durable_names.contains(name)) return {};
  }
  HOLDFAST_TRY(sync_name(path));
  const std::scoped_lock guard(impl_->names_mutex);
  impl_->durable_names.emplace(name);
  return {};
}

Result<RootLock> Root::lock(const Context& context) {
  Root* const self = this;
  HOLDFAST_LET(locks, lock_all(context, {&self, 1}));
  return std::move(locks.front());
}

Result<std::vector<RootLock>> Root::lock_all(const Context& context, std::span<Root* const> roots) {
  std::vector<std::size_t> order(roots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return roots[i]->impl_->order; });
  while (true) {
    std::vector<RootLock> locks(roots.size());
    std::optional<JournalRoot> home;
    Root* pointing = nullptr;
    for (auto i = order.begin(); i != order.end() && !home; ++i) {
      pointing = roots[*i];
      HOLDFAST_LET(elsewhere, pointing->impl_->lock_here(*pointing, context, locks[*i]));
      home = std::move(elsewhere);
    }
    if (!home) return locks;
    locks.clear();  // the home may come before any of them in lock order
    HOLDFAST_TRY(context.check());
    HOLDFAST_TRY(recover_home(context, *pointing, *home));
  }
}

// Takes the lock and finishes a commit whose journal is here. If the journal is in another root, returns that home.
Result<std::optional<JournalRoot>> Root::Impl::lock_here(Root& root, const Context& context, RootLock& lock) {
  HOLDFAST_LET(held, lock_file(root, context));
  lock = std::move(held);
  if (!does(Step::commit_recovery) || !commit_pending(root)) return std::nullopt;
  std::vector<Finding> found;
  auto home = recover_commit(context, root, found);
  for (Finding& finding : found) note(std::move(finding));
  return home;
}

Result<RootLock> Root::Impl::lock_file(Root& root, const Context& context) {
  RootLock lock;
  lock.impl_ = std::make_unique<RootLock::Impl>();
  lock.impl_->rank = RankHold(LockRank::root, order);
  if (does(Step::document_lock)) {
    HOLDFAST_TRY(lock_mutex.lock(context, root.path()));
    lock.impl_->threads = &lock_mutex;
  }
  const std::string name = root.side("lock");
  bool forgotten = false;
  while (true) {
    auto file = directory->open(name, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      HOLDFAST_TRY(root.ensure_directory(options.side));
      file = directory->open(name, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
      if (!file && file.error().code == Code::not_found && !std::exchange(forgotten, true)) {
        forget_names();  // somebody deleted the side folder
        continue;
      }
    }
    if (!file) return fail(std::move(file).error());
    if (does(Step::document_lock)) HOLDFAST_TRY(wait_for_turn(context, **file, LockKind::exclusive, name));
    // The side folder may have been deleted while we waited: a lock on a file
    // without a name protects nothing.
    const auto held = (*file)->stat();
    const auto named = directory->stat(name);
    const bool there = held && named && held->same_file(*named);
    if (there || !does(Step::root_inode_check)) {
      lock.impl_->file = std::move(*file);
      return lock;
    }
    HOLDFAST_TRY(context.check());
    forget_names();
  }
}

Result<std::string> Root::quarantine(const Context& context, std::string_view source_path, std::uint64_t offset,
                                     std::string_view bytes, std::string_view reason) {
  const std::string folder = side("corrupt");
  HOLDFAST_TRY(ensure_directory(folder));
  HOLDFAST_LET(entries, impl_->directory->list(folder));
  if (entries.size() >= kQuarantineFiles)
    return fail(Code::disk_full, "the quarantine is full: look through it and empty it", folder);
  std::string name = compact_utc(context.clock->now());
  name.append(".").append(reason).append(".").append(std::to_string(offset)).append(".");
  name.append(base32_letters(impl_->file_system.entropy(), 6)).append(".");
  name.append(quarantined_source(source_path));
  std::string path = side("corrupt", name);
  HOLDFAST_LET(file, impl_->directory->open(path, OpenMode::create_update));
  auto kept = file->write_at(0, bytes);
  if (kept && does(Step::quarantine_sync)) kept = file->sync();
  if (kept && does(Step::quarantine_name_sync)) kept = sync_name(path);
  if (kept) return path;
  (void)impl_->directory->remove(path);  // half a copy is useless, and every attempt would leave one
  return fail(std::move(kept).error());
}

std::string Root::unique_name(std::string_view prefix) const {
  return std::string(prefix) + base32_letters(impl_->file_system.entropy(), 12);
}

}  // namespace holdfast::inline v1
