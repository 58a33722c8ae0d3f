#include <holdfast/lease.h>

#include <utility>

#include "base/lock_rank.h"
#include "base/safe_name.h"
#include "base/time.h"
#include "disk/lock_wait.h"
#include "disk/real_process.h"
#include "disk/staged.h"
#include "disk/steps.h"
#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

// A process that only looks at a lease holds the lock for an instant.
constexpr std::chrono::milliseconds kPatience{50};

std::string lease_path(const Root& root, std::string_view name) { return root.side("leases", encode_name(name)); }

std::string describe_self(const Context& context, std::string_view note) {
  const ProcessIdentity self = this_process();
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("pid").int64(self.pid);
  json.key("start_time").uint64(self.start_time).key("boot_id").string(self.boot_id).key("host").string(self.host);
  json.key("since").string(iso8601(context.clock->now())).key("note").string(note).end_object();
  return json.take() + "\n";
}

std::optional<LeaseOwner> read_owner(Root& root, std::string_view path) {
  const auto bytes = read_whole(root.directory(), path);
  if (!bytes) return std::nullopt;
  const JsonView json(*bytes);
  if (json.kind() != JsonKind::object) return std::nullopt;
  LeaseOwner owner;
  owner.pid = json.find("pid").as_int64().value_or(0);
  owner.start_time = static_cast<std::uint64_t>(json.find("start_time").as_int64().value_or(0));
  owner.boot_id = json.find("boot_id").as_string().value_or("");
  owner.host = json.find("host").as_string().value_or("");
  owner.since = json.find("since").as_string().value_or("");
  owner.note = json.find("note").as_string().value_or("");
  return owner;
}

Failure held_by(Root& root, std::string_view path, std::string_view name) {
  std::string message = "it is in use";
  if (const auto owner = read_owner(root, path)) {
    message += " by process " + std::to_string(owner->pid) + " on " + owner->host + " since " + owner->since;
    if (!owner->note.empty()) message += " (" + owner->note + ")";
  }
  return fail(Code::busy, std::move(message), std::string(name));
}

Result<void> write_owner(File& file, const std::string& text) {
  HOLDFAST_TRY(file.truncate(0));
  return file.write_at(0, text);  // advisory: never synced
}

}  // namespace

Lease::Lease(std::shared_ptr<Root> root, std::string path, std::unique_ptr<File> file)
    : root_(std::move(root)), path_(std::move(path)), file_(std::move(file)) {}

Result<Lease> Lease::acquire(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                             std::string note) {
  const std::string path = lease_path(*root, name);
  Directory& directory = root->directory();
  const RankHold rank(LockRank::lease);  // until the lease is taken
  while (true) {
    HOLDFAST_TRY(context.check());
    auto file = directory.open(path, OpenMode::update);
    if (!file && file.error().code == Code::not_found) {
      HOLDFAST_TRY(root->ensure_directory(root->side("leases")));
      file = directory.open(path, OpenMode::create_update);
      if (!file && file.error().code == Code::already_exists) continue;
    }
    if (!file) return fail(std::move(file).error());
    auto locked = does(Step::lease_lock)
                      ? wait_for_lock(context.within(kPatience), **file, LockKind::exclusive, path, false)
                      : Result<void>{};
    if (!locked) {
      if (locked.error().code == Code::busy) return held_by(*root, path, name);
      return fail(std::move(locked).error());
    }
    const auto ours = (*file)->stat();
    const auto named = directory.stat(path);
    const bool there = ours && named && ours->same_file(*named);
    if (!there && does(Step::lease_inode_check)) continue;  // the lease was taken over while we waited
    HOLDFAST_TRY(write_owner(**file, describe_self(context, note)));
    return Lease(std::move(root), path, std::move(*file));
  }
}

Result<Lease> Lease::take_over(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                               std::string note) {
  const std::string path = lease_path(*root, name);
  Directory& directory = root->directory();
  const RankHold rank(LockRank::lease);     // until the lease is taken
  HOLDFAST_LET(held, root->lock(context));  // temporary files are only created under the root's lock (I-14)
  HOLDFAST_TRY(root->ensure_directory(root->side("leases")));
  HOLDFAST_TRY(root->ensure_directory(root->side("tmp")));
  const std::string staged = root->side("tmp", root->unique_name("lease."));
  HOLDFAST_LET(file, directory.open(staged, OpenMode::create_update));
  auto placed =
      does(Step::lease_take_over_lock) ? wait_for_lock(context, *file, LockKind::exclusive, staged) : Result<void>{};
  if (placed) placed = write_owner(*file, describe_self(context, note));
  if (placed) placed = directory.rename(staged, path);
  if (!placed) {
    drop_staged(*root, staged);
    return fail(std::move(placed).error());
  }
  return Lease(std::move(root), path, std::move(file));
}

Result<void> Lease::release() {
  HOLDFAST_LET(ours, still_ours());
  // Remove the name while the lock is held: a waiter then finds it gone and starts over.
  if (ours || !does(Step::lease_release_check)) HOLDFAST_TRY(root_->directory().remove(path_));
  file_.reset();
  return {};
}

Result<bool> Lease::still_ours() const {
  if (!file_) return false;
  HOLDFAST_LET(ours, file_->stat());
  const auto named = root_->directory().stat(path_);
  if (!named) return named.error().code == Code::not_found ? Result<bool>(false) : fail(named.error());
  return ours.same_file(*named);
}

Result<LeaseState> look_at_lease(Root& root, std::string_view name) {
  const std::string path = lease_path(root, name);
  auto file = root.directory().open(path, OpenMode::read);
  if (!file) {
    if (file.error().code == Code::not_found) return LeaseState{};
    return fail(std::move(file).error());
  }
  HOLDFAST_LET(free, (*file)->try_lock(LockKind::shared));
  if (free) (*file)->unlock();
  return LeaseState{!free, read_owner(root, path)};
}

}  // namespace holdfast::inline v1
