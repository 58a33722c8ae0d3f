#include "layout/copilot/session_folders.h"

#include <algorithm>

namespace holdfast::inline v1::copilot {
namespace {

constexpr std::string_view kEvents = "events.jsonl";
constexpr std::string_view kWorkspace = "workspace.yaml";
constexpr std::string_view kFlatEnd = ".jsonl";

Place below_state(std::string_view path) {
  std::string whole(kState);
  if (!path.empty()) (whole += '/') += path;
  return {std::string(kRoot), std::move(whole)};
}

bool is_lock(std::string_view name) { return name.starts_with("inuse.") && name.ends_with(".lock"); }

// nullopt if the folder holds no session.
Result<std::optional<SessionRef>> in_folder(Feed& feed, const std::string& id) {
  HOLDFAST_LET(entries, feed.list(below_state(id)));
  bool session = false;
  SessionRef ref{id, below_state(id + "/" + std::string(kEvents)), {}, {}};
  for (const FeedEntry& entry : entries) {
    if (entry.directory) continue;
    session = session || entry.name == kEvents || entry.name == kWorkspace;
    if (is_lock(entry.name)) ref.hint += entry.name + "\n";
  }
  if (!session) return std::nullopt;
  return ref;
}

SessionRef of_file(const std::string& id) { return {id, below_state(id + std::string(kFlatEnd)), {}, {}}; }

}  // namespace

Result<void> list_sessions(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(entries, feed.list(below_state("")));
  for (const FeedEntry& entry : entries) {
    if (entry.name.starts_with('.')) continue;
    std::optional<SessionRef> ref;
    if (entry.directory) {
      HOLDFAST_LET(found, in_folder(feed, entry.name));
      ref = std::move(found);
    } else if (entry.name.ends_with(kFlatEnd) && entry.name.size() > kFlatEnd.size()) {
      const std::string id = entry.name.substr(0, entry.name.size() - kFlatEnd.size());
      // If the session was moved to a folder of its own, only the folder counts.
      if (std::ranges::none_of(entries, [&](const FeedEntry& other) { return other.directory && other.name == id; }))
        ref = of_file(id);
    }
    if (ref && !take(std::move(*ref))) break;
  }
  return {};
}

Result<std::optional<SessionRef>> locate_session(Feed& feed, std::string_view id) {
  if (id.empty() || id.starts_with('.') || id.find('/') != std::string_view::npos) return std::nullopt;
  HOLDFAST_LET(folder, in_folder(feed, std::string(id)));
  if (folder) return folder;
  SessionRef flat = of_file(std::string(id));
  HOLDFAST_LET(there, feed.stat(flat.place));
  if (!there) return std::nullopt;
  return flat;
}

std::vector<std::string> locks_of(const SessionRef& ref) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < ref.hint.size();) {
    const std::size_t end = std::min(ref.hint.find('\n', at), ref.hint.size());
    names.push_back(ref.hint.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

std::string workspace_of(const SessionRef& ref) {
  const std::string& path = ref.place.path;
  if (!path.ends_with(kEvents)) return {};
  return path.substr(0, path.size() - kEvents.size()) + std::string(kWorkspace);
}

}  // namespace holdfast::inline v1::copilot
