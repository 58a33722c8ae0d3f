#include "store/blob_collection.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "disk/steps.h"
#include "layout/holdfast/line.h"
#include "store/engine.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kAside = "blobs.";  // {side}/removed/blobs.{seconds since 1970}.{random}/{sha256}
constexpr std::size_t kNameLength = 64;
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::chrono::hours kLeast{1};

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_name(std::string_view text) { return text.size() == kNameLength && std::ranges::all_of(text, is_digit); }

std::int64_t seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string aside_path(std::string folder, std::string_view name) { return folder.append("/").append(name); }

// Finds which of the wanted names occur anywhere in `file`.
Result<void> names_in(File& file, const std::set<std::string, std::less<>>& wanted, std::set<std::string>& found) {
  std::string text(kChunk, '\0');
  std::string run;  // of hex digits, across chunks
  for (std::uint64_t at = 0;;) {
    HOLDFAST_LET(count, file.read_at(at, {text.data(), text.size()}));
    if (count == 0) return {};
    for (const char c : std::string_view(text).substr(0, count)) {
      if (!is_digit(c)) {
        run.clear();
        continue;
      }
      if (run.size() == kNameLength) run.erase(0, 1);
      run += c;
      if (run.size() == kNameLength && wanted.contains(run)) found.insert(run);
    }
    at += count;
  }
}

class Collection {
 public:
  Collection(const Context& context, FileStore& engine, std::shared_ptr<Root> root)
      : context_(context), engine_(engine), root_(std::move(root)) {}

  Result<CollectedBlobs> run(std::chrono::system_clock::time_point then) {
    HOLDFAST_TRY(look_aside());
    HOLDFAST_TRY(look_in_place());
    if (aside_.empty() && in_place_.empty()) return done_;
    HOLDFAST_TRY(look_everywhere());  // without a lock, because this is most of the work
    // Now nobody is between checking for a text and writing the line that names it: such writers hold off removals.
    RecordLock sessions;
    if (does(Step::blob_lock)) {
      HOLDFAST_LET(held, engine_.hold_sessions(context_, LockKind::exclusive));
      sessions = std::move(held);
    }
    HOLDFAST_LET(lock, root_->lock(context_));
    if (does(Step::blob_look_again)) HOLDFAST_TRY(look_everywhere());
    const std::int64_t now = seconds(context_.clock->now());
    HOLDFAST_TRY(set_aside(now));
    return settle(std::min(seconds(then), now - std::chrono::seconds(kLeast).count()));
  }

  Result<bool> any_before(std::chrono::system_clock::time_point then) {
    HOLDFAST_TRY(look_aside());
    return std::ranges::any_of(aside_, [&](const auto& one) { return one.second.since < seconds(then); });
  }

 private:
  struct Aside {
    std::string folder;
    std::int64_t since = 0;
  };
  struct Seen {
    FileStat stat;
    std::set<std::string> names;
  };

  Result<std::vector<DirectoryEntry>> list(const std::string& path) const {
    auto entries = root_->directory().list(path);
    if (!entries && entries.error().code == Code::not_found) return std::vector<DirectoryEntry>();
    return entries;
  }

  Result<void> look_aside() {
    HOLDFAST_LET(folders, list(root_->side("removed")));
    for (const DirectoryEntry& folder : folders) {
      if (!folder.name.starts_with(kAside)) continue;
      Aside aside{root_->side("removed", folder.name)};
      const std::string_view digits = std::string_view(folder.name).substr(kAside.size());
      (void)std::from_chars(digits.data(), digits.data() + digits.size(), aside.since);
      HOLDFAST_LET(files, list(aside.folder));
      for (const DirectoryEntry& file : files)
        if (is_name(file.name)) aside_[file.name] = aside;
      folders_.insert(aside.folder);
    }
    return {};
  }

  Result<void> look_in_place() {
    HOLDFAST_LET(folders, list("blobs"));
    for (const DirectoryEntry& folder : folders) {
      HOLDFAST_LET(files, list("blobs/" + folder.name));
      for (const DirectoryEntry& file : files)
        if (is_name(file.name)) in_place_.insert(file.name);
    }
    for (const auto& [name, aside] : aside_) wanted_.insert(name);
    wanted_.insert(in_place_.begin(), in_place_.end());
    return {};
  }

  // Reads the side folder first: a file that is being restored keeps its name there until it is back in its place.
  Result<void> look_everywhere() {
    named_.clear();
    directories_.clear();
    out_of_reach_ = false;
    for (const auto& [name, root] : engine_.roots().all()) {
      HOLDFAST_TRY(look_below(*root, root->options().side));
      HOLDFAST_TRY(look_below(*root, ""));
    }
    return {};
  }

  // Includes linked directories, because sessions are read there too (decision 31).
  Result<void> look_below(Root& root, const std::string& path) {
    HOLDFAST_TRY(context_.check());
    const auto entries = root.directory().list_to_read(path);
    if (!entries && entries.error().code == Code::not_found) return {};
    if (!entries) return fail(entries.error());
    for (const DirectoryEntry& entry : *entries) {
      const std::string inner = path.empty() ? entry.name : path + "/" + entry.name;
      if (path.empty() && (inner == "blobs" || inner == root.options().side)) continue;
      if (path == root.side("removed") && entry.name.starts_with(kAside)) continue;
      const auto stat = root.directory().stat_to_read(inner);
      if (!stat && stat.error().code != Code::not_found) return fail(stat.error());
      // A link to a place that does not exist now may lead to sessions once it does.
      if (!stat || stat->kind == FileKind::symlink)
        out_of_reach_ = out_of_reach_ || (does(Step::blob_out_of_reach) && root.directory().exists(inner));
      if (!stat) continue;
      if (stat->kind == FileKind::directory && directories_.insert({stat->device, stat->inode}).second)
        HOLDFAST_TRY(look_below(root, inner));
      if (stat->kind == FileKind::file) HOLDFAST_TRY(look_into(root, inner, *stat));
    }
    return {};
  }

  Result<void> look_into(Root& root, const std::string& path, const FileStat& stat) {
    Seen& seen = seen_[root.path() + "/" + path];
    if (!seen.stat.same_file(stat) || seen.stat.size != stat.size || seen.stat.mtime_ns != stat.mtime_ns) {
      seen = {stat, {}};
      auto file = root.directory().open(path, OpenMode::read);
      if (!file && file.error().code == Code::not_found) return {};
      if (!file) return fail(file.error());
      HOLDFAST_TRY(names_in(**file, wanted_, seen.names));
    }
    named_.insert(seen.names.begin(), seen.names.end());
    return {};
  }

  Result<void> set_aside(std::int64_t now) {
    std::string folder;
    for (const std::string& name : in_place_) {
      if (named_.contains(name) || out_of_reach_) continue;
      if (folder.empty()) {
        std::string prefix(kAside);
        (prefix += std::to_string(now)) += '.';
        folder = root_->side("removed", root_->unique_name(prefix));
        HOLDFAST_TRY(root_->ensure_directory(folder));
        folders_.insert(folder);
      }
      auto moved = root_->directory().rename(native::blob_path(name), aside_path(folder, name));
      if (!moved && moved.error().code == Code::not_found) continue;
      HOLDFAST_TRY(moved);
      aside_[name] = {folder, now};
      ++done_.set_aside;
    }
    if (folder.empty() || !does(Step::blob_aside_names)) return {};
    return root_->directory().sync_directory(folder);
  }

  Result<CollectedBlobs> settle(std::int64_t before) {
    for (const auto& [name, aside] : aside_) {
      const std::string path = aside_path(aside.folder, name);
      if (named_.contains(name)) {
        HOLDFAST_TRY(root_->ensure_directory("blobs/" + name.substr(0, 2)));
        HOLDFAST_TRY(root_->directory().rename(path, native::blob_path(name)));
        if (does(Step::blob_put_back_sync)) HOLDFAST_TRY(root_->sync_name(native::blob_path(name)));
        ++done_.put_back;
      } else if ((aside.since < before || !does(Step::blob_grace)) && !out_of_reach_) {
        HOLDFAST_TRY(root_->directory().remove(path));
        ++done_.deleted;
      }
    }
    for (const std::string& folder : folders_) {
      HOLDFAST_LET(files, list(folder));
      if (files.empty()) HOLDFAST_TRY(root_->directory().remove_directory(folder));
    }
    return done_;
  }

  const Context& context_;
  FileStore& engine_;
  std::shared_ptr<Root> root_;
  std::map<std::string, Aside> aside_;  // by name
  std::set<std::string> in_place_, folders_, named_;
  std::set<std::string, std::less<>> wanted_;
  std::map<std::string, Seen> seen_;                               // by path
  std::set<std::pair<std::uint64_t, std::uint64_t>> directories_;  // already visited; links may form cycles
  bool out_of_reach_ = false;
  CollectedBlobs done_;
};

Result<std::shared_ptr<Root>> root_of_blobs(FileStore& engine) {
  if (engine.layout().name() != "holdfast") return std::shared_ptr<Root>();
  return engine.roots().root("data");
}

}  // namespace

Result<CollectedBlobs> collect_blobs(const Context& context, Store& store, std::chrono::system_clock::time_point then) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(root, root_of_blobs(*engine));
  if (root == nullptr) return CollectedBlobs();
  return Collection(context, *engine, root).run(then);
}

Result<bool> has_blobs_aside(const Context& context, Store& store, std::chrono::system_clock::time_point then) {
  HOLDFAST_LET(engine, engine_of(store));
  HOLDFAST_LET(root, root_of_blobs(*engine));
  if (root == nullptr) return false;
  return Collection(context, *engine, root).any_before(then);
}

}  // namespace holdfast::inline v1
