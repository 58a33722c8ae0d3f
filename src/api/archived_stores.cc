#include "api/archived_stores.h"

#include <map>
#include <set>

#include "api/live_ids.h"
#include "api/stores.h"
#include "base/own_folder.h"
#include "layout/belongings.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

struct Captured {
  std::string id;
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
    Captured one{key.id, {}};
    SessionPaths paths(*belongings, key.id);
    for (const auto& [place, version] : session.head) {
      if (belongings->rows == nullptr && paths.add_main(place.path)) one.mains.push_back(place.path);
    }
    all[{key.layout, key.store}].push_back(std::move(one));
  }
  return all;
}

// Removes from `gone` what is in the store where these sessions now belong, or was captured from there.
Result<void> leave_out_moved(const Context& context, Stores& stores, const StoreKey& key,
                             const CapturedStores& captured, std::set<std::string>& gone) {
  const StoreKey now{key.first, current_root(stores.settings(), key.first, key.second)};
  if (gone.empty() || now == key) return {};
  if (const auto again = captured.find(now); again != captured.end()) {
    for (const Captured& one : again->second) gone.erase(one.id);
  }
  if (gone.empty()) return {};
  std::vector<Finding> ignored;
  HOLDFAST_LET(live, live_ids(context, stores, now.first, now.second, ignored));
  std::erase_if(gone, [&](const std::string& id) { return live.contains(id); });
  return {};
}

// The ids that the store no longer has at all.
Result<std::set<std::string>> gone_ids(const Context& context, Stores& stores, const StoreKey& key,
                                       const std::vector<Captured>& sessions) {
  std::set<std::string> gone;
  const auto directory = stores.settings().files->open_directory(key.second, false);
  for (const Captured& one : sessions) {
    bool there = false;
    for (const std::string& main : one.mains) there = there || (directory && (*directory)->stat_to_read(main));
    if (!there) gone.insert(one.id);
  }
  if (gone.empty() || !directory) return gone;
  // A session may have moved within the store since.
  std::vector<Finding> ignored;
  HOLDFAST_LET(live, live_ids(context, stores, key.first, key.second, ignored));
  std::erase_if(gone, [&](const std::string& id) { return live.contains(id); });
  return gone;
}

}  // namespace

Result<void> ArchivedStores::renew(const Context& context, const Stores& stores) {
  const std::string& path = stores.settings().archive;
  FileSystem& real = *stores.settings().files;
  HOLDFAST_LET(directory, own_folder(real.open_directory(path, false)));
  HOLDFAST_LET(log, directory->stat(kCaptureLog));
  if (files_ && Fingerprint::of(log) == log_) return {};
  HOLDFAST_LET(archive, Archive::open(context, real, path));
  if (files_)
    files_->renew(std::move(archive));
  else
    files_ = std::make_unique<CapturedFiles>(real, path, std::move(archive));
  log_ = Fingerprint::of(log);
  return {};
}

std::vector<StoreOptions> ArchivedStores::look(const Context& context, Stores& stores) {
  std::vector<StoreOptions> found;
  const std::string& path = stores.settings().archive;
  if (path.empty()) return found;
  CapturedStores captured;
  {
    const ScopedLock lock(mutex_);
    const auto renewed = renew(context, stores);
    error_.reset();
    if (!renewed && renewed.error().code != Code::not_found) {
      error_ = renewed.error();
      error_->message = "the archive cannot be read: " + error_->message;
      if (!error_->path.starts_with('/')) error_->path = path + (error_->path.empty() ? "" : "/") + error_->path;
    }
    if (!renewed) return found;
    captured = captured_stores(files_->state());
  }
  for (const auto& [key, sessions] : captured) {
    // A store that cannot be read is reported where it is listed itself.
    auto gone = gone_ids(context, stores, key, sessions);
    if (gone) (void)leave_out_moved(context, stores, key, captured, *gone);
    const ScopedLock lock(mutex_);
    files_->show(key.first, key.second, gone ? *gone : std::set<std::string>());
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
