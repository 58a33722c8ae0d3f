#include "archive/store_watch.h"

#include <algorithm>
#include <vector>

#include "layout/belongings.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kMaxDirectories = 8192;  // of the 65,536 per user that Linux usually allows
constexpr std::size_t kMaxHeld = 256;
constexpr std::size_t kHeldOfStore = 16;  // the files that changed last are held from the start

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

Result<StoreWatch> StoreWatch::create() {
  HOLDFAST_LET(watch, Watch::create());
  return StoreWatch(std::move(watch));
}

void StoreWatch::watch(const std::string& directory) {
  if (watched_.size() >= kMaxDirectories || watched_.contains(directory)) return;
  if (!watch_.add(directory)) return;
  watched_.insert(directory);
  lost_.erase(directory);
}

// After a change of that name: the directory and those below it may be gone, or others by now.
void StoreWatch::watch_again(std::string_view directory) {
  const std::string below = std::string(directory) + "/";
  std::vector<std::string> names;
  for (const auto* const all : {&watched_, &lost_}) {
    for (const std::string& name : *all)
      if (directory.empty() || name == directory || name.starts_with(below)) names.push_back(name);
  }
  for (const std::string& name : names) {
    watched_.erase(name);
    lost_.erase(name);
    watch(name);
    if (!watched_.contains(name)) {
      if (lost_.size() < kMaxDirectories) lost_.insert(name);
      continue;
    }
    std::vector<std::string> held;
    for (const Held& one : held_)
      if (folder_of(one.path) == name) held.push_back(one.path);
    for (const std::string& path : held) hold(path);
  }
}

// Returns false if nothing changed that matters.
bool StoreWatch::take(const Changed& changed) {
  bool matters = changed.overflow;
  if (changed.overflow) watch_again("");
  for (const std::string& path : changed.paths) {
    const bool known = watched_.contains(path) || lost_.contains(path);
    if (!known && !watched_.contains(folder_of(path))) continue;
    matters = true;
    if (known) watch_again(path);
    hold(path);
  }
  return matters;
}

void StoreWatch::expect(FileSystem& files, const Layout& layout, const std::string& root) {
  const Belongings* const belongings = belongings_of(layout);
  if (belongings == nullptr) return;
  auto directory = files.open_directory(root, false);
  if (!directory) return;
  if (const std::string parent = folder_of(root);
      !parent.empty() && !watched_.contains(parent) && !parents_.contains(parent) && watch_.add(parent))
    parents_.insert(parent);
  watch(root);
  for (const std::string_view pattern : belongings->main) expect_below(**directory, "", pattern);
  roots_.insert_or_assign(root, std::move(*directory));  // it may be another one by now
}

// `pattern` is the rest of the pattern below `folder`; its last part is a file name.
void StoreWatch::expect_below(Directory& root, const std::string& folder, std::string_view pattern) {
  const std::size_t slash = pattern.find('/');
  if (slash == std::string_view::npos || watched_.size() >= kMaxDirectories) return;
  const std::string_view name = pattern.substr(0, slash);
  const std::string_view rest = name == "**" ? pattern : pattern.substr(slash + 1);
  const auto enter = [&](std::string_view inner) {
    const std::string path = folder.empty() ? std::string(inner) : folder + "/" + std::string(inner);
    const auto stat = root.stat(path);
    if (!stat || stat->kind != FileKind::directory) return;
    watch(root.path() + "/" + path);
    expect_below(root, path, rest);
  };
  const std::size_t any = name.find_first_of("*{");
  if (any == std::string_view::npos) return enter(name);
  const std::string_view before = name.substr(0, any), after = name.substr(name.find_last_of("*}") + 1);
  const auto entries = root.list(folder);
  if (!entries) return;
  for (const DirectoryEntry& entry : *entries) {
    const std::string_view inner = entry.name;
    if (entry.kind == FileKind::directory && inner.starts_with(before) && inner.ends_with(after)) enter(inner);
  }
}

void StoreWatch::add(const FileStore& store, const CaptureState& state) {
  std::map<std::string, std::string> roots;  // paths by the root names of places
  for (const auto& [name, directory] : store.roots().directories()) {
    if (directory == nullptr) continue;
    const std::string& path = roots[name] = directory->path();
    watch(path);
    if (auto own = store.file_system().open_directory(path, false)) roots_.insert_or_assign(path, std::move(*own));
  }
  const std::string layout(store.layout_name());
  std::vector<std::pair<std::int64_t, std::string>> newest;
  for (const auto& [key, session] : state.sessions) {
    if (key.layout != layout || !store.name().ends_with(":" + key.store)) continue;
    for (const auto& [place, version] : session.last) {
      const auto root = roots.find(place.root);
      if (root == roots.end() || version->gone) continue;
      newest.emplace_back(version->mtime_ns, root->second + "/" + place.path);
      // A directory that is created later shows up in its parent.
      for (std::string at = folder_of(root->second + "/" + place.path); at.size() > root->second.size();
           at = folder_of(at)) {
        if (watched_.contains(at)) break;
        watch(at);
      }
    }
  }
  std::ranges::sort(newest, std::greater());
  newest.resize(std::min(newest.size(), kHeldOfStore));
  for (const auto& [time, path] : newest) {
    if (!by_path_.contains(path)) hold(path);
  }
}

void StoreWatch::hold(const std::string& path) {
  for (const auto& [root, directory] : roots_) {
    if (!path.starts_with(root + "/")) continue;
    const std::string below = path.substr(root.size() + 1);
    const auto stat = directory->stat(below);
    if (!stat || stat->kind != FileKind::file) return;  // gone; keep holding the previous file
    auto file = directory->open(below, OpenMode::read);
    if (!file) return;
    if (const auto known = by_path_.find(path); known != by_path_.end()) {
      known->second->file = std::move(*file);
      held_.splice(held_.begin(), held_, known->second);
      return;
    }
    held_.push_front({path, std::move(*file)});
    by_path_[path] = held_.begin();
    if (held_.size() <= kMaxHeld) return;
    by_path_.erase(held_.back().path);
    held_.pop_back();
    return;
  }
}

Result<void> StoreWatch::wait(const Context& context, const Pace& pace) {
  using Time = std::chrono::steady_clock::time_point;
  const auto until = [&](Time time) {
    Context bounded = context;
    bounded.deadline = context.deadline ? std::min(*context.deadline, time) : time;
    return bounded;
  };
  std::optional<Time> last;
  const Time look = context.clock->ticks() + pace.every;
  for (;;) {
    const Time now = context.clock->ticks();
    const auto changed = watch_.wait(until(last ? std::min(now + pace.quiet, *last) : look));
    if (!changed) {
      HOLDFAST_TRY(context.check());
      if (changed.error().code == Code::deadline_exceeded) return {};
      return fail(changed.error());
    }
    if (take(*changed) && !last) last = context.clock->ticks() + pace.longest;
  }
}

File* StoreWatch::held(const std::string& path) const {
  const auto known = by_path_.find(path);
  return known == by_path_.end() ? nullptr : known->second->file.get();
}

}  // namespace holdfast::inline v1
