#include "layout/claude_code/transcripts.h"

namespace holdfast::inline v1::claude_code {
namespace {

constexpr std::string_view kEnd = ".jsonl";
constexpr std::string_view kAgent = "agent-";
constexpr std::string_view kHint = "subagent";

std::string joined(std::string_view a, std::string_view b) { return std::string(a) + "/" + std::string(b); }

bool is_log(const FeedEntry& entry) {
  return !entry.directory && entry.name.size() > kEnd.size() && entry.name.ends_with(kEnd);
}

SessionRef ref_of(const std::string& project, const std::string& path, std::string_view parent) {
  std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  name.remove_suffix(kEnd.size());
  SessionRef ref{std::string(name), {std::string(kRoot), path}, project, {}};
  if (!name.starts_with(kAgent)) return ref;
  ref.id = name.substr(kAgent.size());
  ref.hint = kHint;
  ref.inner = true;
  if (!parent.empty()) (ref.hint += ' ') += parent;
  return ref;
}

// Since 2.1 the transcripts of sub-agents are in the folder of their session.
Result<bool> list_subagents(Feed& feed, const std::string& project, const std::string& session,
                            const std::function<bool(SessionRef)>& take) {
  const std::string folder = joined(joined(joined(kProjects, project), session), "subagents");
  HOLDFAST_LET(entries, feed.list({std::string(kRoot), folder}));
  for (const FeedEntry& entry : entries) {
    if (!is_log(entry) || !entry.name.starts_with(kAgent)) continue;
    if (!take(ref_of(project, joined(folder, entry.name), session))) return false;
  }
  return true;
}

Result<std::vector<FeedEntry>> projects(Feed& feed) { return feed.list({std::string(kRoot), std::string(kProjects)}); }

}  // namespace

Result<void> list_transcripts(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(all, projects(feed));
  for (const FeedEntry& project : all) {
    if (!project.directory) continue;
    const std::string folder = joined(kProjects, project.name);
    HOLDFAST_LET(entries, feed.list({std::string(kRoot), folder}));
    for (const FeedEntry& entry : entries) {
      bool wanted = true;
      if (is_log(entry)) {
        wanted = take(ref_of(project.name, joined(folder, entry.name), {}));
      } else if (entry.directory && entry.name != "memory") {
        HOLDFAST_LET(went_on, list_subagents(feed, project.name, entry.name, take));
        wanted = went_on;
      }
      if (!wanted) return {};
    }
  }
  return {};
}

Result<void> locate_transcripts(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take) {
  if (id.empty() || id.find('/') != std::string_view::npos || id.starts_with('.')) return {};
  HOLDFAST_LET(all, projects(feed));
  for (const FeedEntry& project : all) {
    if (!project.directory) continue;
    const std::string path = joined(joined(kProjects, project.name), std::string(id) + std::string(kEnd));
    HOLDFAST_LET(there, feed.stat({std::string(kRoot), path}));
    if (there && !take(ref_of(project.name, path, {}))) break;
  }
  return {};
}

bool is_subagent(const SessionRef& ref) { return ref.hint.starts_with(kHint); }

std::string_view parent_in_hint(const SessionRef& ref) {
  const std::string_view hint = ref.hint;
  return hint.size() > kHint.size() + 1 ? hint.substr(kHint.size() + 1) : std::string_view();
}

std::string folder_beside(const SessionRef& ref) {
  return ref.place.path.substr(0, ref.place.path.size() - kEnd.size());
}

}  // namespace holdfast::inline v1::claude_code
