#include "api/archived_stores.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/live_ids.h"
#include "api/stores.h"
#include "base/own_folder.h"
#include "base/was_stopped.h"
#include "layout/belongings.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

struct Captured {
  std::string id;
  std::uint64_t number = 0;        // of its last capture
  std::vector<std::string> mains;  // main files, relative to the root; none for sessions in a database
};
using StoreKey = std::pair<std::string, std::string>;  // layout, root
using CapturedStores = std::map<StoreKey, std::vector<Captured>>;

CapturedStores captured_stores(const CaptureState& state) {
  CapturedStores all;
  for (const auto& [key, session] : state.sessions) {
    const Layout* const layout = find_layout(key.layout);
    const Belongings* const belongings = layout == nullptr ? nullptr : belongings_of(*layout);
    if (belongings == nullptr) continue;
    Captured one{key.id, session.number, {}};
    SessionPaths paths(*belongings, key.id);
    for (const auto& [place, version] : session.head) {
      if (belongings->rows == nullptr && paths.add_main(place.path)) one.mains.push_back(place.path);
    }
    all[{key.layout, key.store}].push_back(std::move(one));
  }
  return all;
}

StoreKey current_key(const Stores& stores, const StoreKey& key) {
  return {key.first, current_root(stores.settings(), key.first, key.second)};
}

// Whether the store is the agent's own place in another home, such as another person's or one that was copied here.
// Calls do not read it, even if it is on this machine. A configured store is the only one that is read.
bool is_in_another_home(const Stores& stores, const StoreKey& key) {
  if (!stores.settings().current_defaults || current_key(stores, key) == key) return false;
  return std::ranges::none_of(stores.defaults(), [&](const StoreOptions& options) {
    return store_name(options) == key.first + ":" + key.second;
  });
}

// Removes from `gone` what is in the store where these sessions now belong, or was captured from there, or later from
// another home.
Result<void> leave_out_moved(const Context& context, Stores& stores, const StoreKey& key,
                             const CapturedStores& captured, std::set<std::string>& gone) {
  const StoreKey now = current_key(stores, key);
  if (gone.empty() || now == key) return {};
  std::map<std::string, std::uint64_t> numbers;
  for (const Captured& one : captured.at(key)) numbers[one.id] = one.number;
  for (const auto& [other, sessions] : captured) {
    if (other == key || current_key(stores, other) != now) continue;
    for (const Captured& one : sessions) {
      const auto mine = numbers.find(one.id);
      if (mine != numbers.end() && (other == now || one.number > mine->second)) gone.erase(one.id);
    }
  }
  if (gone.empty()) return {};
  std::vector<Finding> ignored;
  HOLDFAST_LET(live, live_ids(context, stores, now.first, now.second, ignored));
  std::erase_if(gone, [&](const std::string& id) { return live.contains(id); });
  return {};
}

// Whether the user may read a file that is there. Opens it only if its mode does not tell.
bool is_readable(Directory& directory, const std::string& path, const FileStat& stat, std::uint32_t user) {
  if ((stat.mode & (stat.owner == user ? 0400U : 0004U)) != 0) return true;
  const auto file = directory.open(path, OpenMode::read);
  return file || file.error().code != Code::permission_denied;
}

// The ids that the store no longer has at all, or that cannot be read there; all ids if no call reads the store.
Result<std::set<std::string>> gone_ids(const Context& context, Stores& stores, const StoreKey& key,
                                       const std::vector<Captured>& sessions, std::uint32_t user) {
  std::set<std::string> gone, unreadable, in_files;
  if (is_in_another_home(stores, key)) {
    for (const Captured& one : sessions) gone.insert(one.id);
    return gone;
  }
  const auto directory = stores.settings().files->open_directory(key.second, false);
  for (const Captured& one : sessions) {
    bool there = false, readable = false;
    for (const std::string& main : one.mains) {
      const auto stat = directory ? (*directory)->stat_to_read(main) : fail(directory.error());
      if (!stat || stat->kind != FileKind::file) continue;
      there = true;
      readable = readable || is_readable(**directory, main, *stat, user);
    }
    if (!there) gone.insert(one.id);
    if (there && !readable) unreadable.insert(one.id);
    if (!one.mains.empty()) in_files.insert(one.id);
  }
  if (!gone.empty() && directory) {
    // A session may have moved within the store since. If a database cannot be read, none of its sessions can.
    std::vector<Finding> ignored;
    const auto live = live_ids(context, stores, key.first, key.second, ignored);
    if (!live && was_stopped(live.error())) return fail(live.error());
    std::erase_if(gone, [&](const std::string& id) { return live ? live->contains(id) : in_files.contains(id); });
  }
  gone.merge(unreadable);
  return gone;
}

}  // namespace

Result<void> ArchivedStores::renew(const Context& context, const Stores& stores, std::string_view wanted) {
  const std::string& path = stores.settings().archive;
  FileSystem& real = *stores.settings().files;
  HOLDFAST_LET(directory, own_folder(real.open_directory(path, false)));
  HOLDFAST_LET(log, directory->stat(kCaptureLog));
  const bool again = files_ && Fingerprint::of(log) == log_;
  if (again && !is_part_) return {};
  // Whoever looks twice, such as a server, will look for other sessions, too.
  const std::string containing(again ? std::string_view() : wanted);
  HOLDFAST_LET(archive,
               Archive::open(context, real, path, {.cache = stores.settings().cache, .containing = containing}));
  if (files_)
    files_->renew(std::move(archive));
  else
    files_ = std::make_unique<CapturedFiles>(real, path, std::move(archive));
  log_ = Fingerprint::of(log);
  is_part_ = !containing.empty();
  return {};
}

std::vector<StoreOptions> ArchivedStores::look(const Context& context, Stores& stores, std::string_view wanted) {
  std::vector<StoreOptions> found;
  const std::string& path = stores.settings().archive;
  if (path.empty()) return found;
  CapturedStores captured;
  std::uint32_t user = 0;  // the owner of the archive: it belongs to whoever may read it
  {
    const ScopedLock lock(mutex_);
    const auto renewed = renew(context, stores, wanted);
    error_.reset();
    if (!renewed && renewed.error().code != Code::not_found) {
      error_ = renewed.error();
      error_->message = "the archive cannot be read: " + error_->message;
      if (!error_->path.starts_with('/')) error_->path = path + (error_->path.empty() ? "" : "/") + error_->path;
    }
    if (!renewed) return found;
    captured = captured_stores(files_->state());
    const auto own = stores.settings().files->open_directory(path, false);
    if (const auto stat = own ? (*own)->stat("") : fail(own.error())) user = stat->owner;
  }
  for (const auto& [key, sessions] : captured) {
    // What cannot be read in a store is reported where the store itself is listed.
    auto gone = gone_ids(context, stores, key, sessions, user);
    if (gone) (void)leave_out_moved(context, stores, key, captured, *gone);
    const ScopedLock lock(mutex_);
    files_->show(key.first, key.second, gone ? *gone : std::set<std::string>(), Shelf::listed, is_part_);
    if (!gone || gone->empty()) continue;
    StoreOptions options{.layout = key.first};
    options.roots[""] = CapturedFiles::path_of(path, key.first, key.second);
    found.push_back(std::move(options));
  }
  return found;
}

std::optional<Error> ArchivedStores::error() const {
  const ScopedLock lock(mutex_);
  return error_;
}

FileSystem* ArchivedStores::files_of(const Stores& stores, const StoreOptions& options) {
  const auto root = options.roots.find("");
  if (root == options.roots.end() || !CapturedFiles::is_in(stores.settings().archive, root->second)) return nullptr;
  const ScopedLock lock(mutex_);
  return files_.get();
}

}  // namespace holdfast::inline v1
