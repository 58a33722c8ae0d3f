#include "layout/codex/thread_files.h"

#include <algorithm>
#include <tuple>

#include "base/ascii.h"

namespace holdfast::inline v1::codex {
namespace {

constexpr std::string_view kFolders[] = {"sessions", "archived_sessions"};
constexpr int kMaxDepth = 8;  // YYYY/MM/DD, and folders that people may add

// Whether Codex looks into a folder of that name, in `depth` others of a date.
bool is_part_of_date(std::string_view name, int depth) {
  return depth < 3 && name.size() == (depth == 0 ? 4U : 2U) && std::ranges::all_of(name, is_ascii_digit);
}

// Whether the folder, or one above it, is a link.
Result<bool> is_behind_link(Feed& feed, const std::string& folder) {
  for (std::size_t end = folder.find('/');; end = folder.find('/', end + 1)) {
    HOLDFAST_LET(target, feed.link({kRoot, folder.substr(0, end)}));
    if (target || end == std::string::npos) return target.has_value();
  }
}

// Follows links only where Codex does, in YYYY/MM/DD: behind any other there may be the whole disk. `dated` is whether
// the folder is one of those.
Result<void> walk(Feed& feed, const std::string& folder, int depth, bool dated, std::vector<ThreadFile>& files) {
  HOLDFAST_LET(entries, feed.list({kRoot, folder}));
  for (const FeedEntry& entry : entries) {
    const std::string path = folder + "/" + entry.name;
    if (entry.directory) {
      if (depth >= kMaxDepth) continue;
      const bool date = dated && is_part_of_date(entry.name, depth);
      if (!date) {
        HOLDFAST_LET(linked, is_behind_link(feed, path));
        if (linked) continue;
      }
      HOLDFAST_TRY(walk(feed, path, depth + 1, date, files));
    } else if (auto name = parse_rollout_name(entry.name)) {
      files.push_back({path, std::move(*name)});
    }
  }
  return {};
}

}  // namespace

bool is_archived(std::string_view path) { return path.starts_with("archived_sessions/"); }

Result<Threads> list_threads(Feed& feed) {
  std::vector<ThreadFile> files;
  for (const std::string_view folder : kFolders) HOLDFAST_TRY(walk(feed, std::string(folder), 0, true, files));
  const auto key = [](const ThreadFile& file) {
    return std::tie(file.name.thread, file.name.stamp, file.name.segment);
  };
  std::vector<ThreadFile*> order;
  order.reserve(files.size());
  for (ThreadFile& file : files) order.push_back(&file);
  std::ranges::sort(order, [&](const ThreadFile* a, const ThreadFile* b) {
    if (const auto which = key(*a) <=> key(*b); which != 0) return which < 0;
    if (a->name.compressed != b->name.compressed) return b->name.compressed;
    if (is_archived(a->path) != is_archived(b->path)) return is_archived(b->path);
    return a->path < b->path;
  });
  Threads threads;
  for (ThreadFile* file : order) {
    const auto thread = threads.try_emplace(threads.end(), file->name.thread);
    std::vector<ThreadFile>& of_thread = thread->second;
    if (!of_thread.empty() && key(of_thread.back()) == key(*file)) continue;
    of_thread.push_back(std::move(*file));
  }
  return threads;
}

}  // namespace holdfast::inline v1::codex
