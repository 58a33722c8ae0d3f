#include "layout/openclaw/log_files.h"

#include "base/safe_name.h"
#include "layout/json_pick.h"
#include "layout/openclaw/databases.h"

namespace holdfast::inline v1::openclaw {
namespace {

constexpr std::string_view kEnd = ".jsonl";

std::string folder_of(const std::string& agent) { return "agents/" + agent + "/sessions"; }

}  // namespace

bool is_log_file(const Place& place) { return place.path.ends_with(kEnd); }

Result<bool> list_log_files(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(agents, feed.list({kRoot, "agents"}));
  for (const FeedEntry& agent : agents) {
    if (!agent.directory) continue;
    HOLDFAST_LET(files, feed.list({kRoot, folder_of(agent.name)}));
    for (const FeedEntry& file : files) {
      if (file.directory || file.name.size() <= kEnd.size() || !file.name.ends_with(kEnd)) continue;
      const std::string id = file.name.substr(0, file.name.size() - kEnd.size());
      if (!take({id, {kRoot, folder_of(agent.name) + "/" + file.name}, agent.name, {}})) return false;
    }
  }
  return true;
}

Result<std::optional<SessionRef>> locate_log_file(Feed& feed, std::string_view id) {
  if (!is_plain_name(id)) return std::nullopt;
  HOLDFAST_LET(agents, feed.list({kRoot, "agents"}));
  for (const FeedEntry& agent : agents) {
    if (!agent.directory) continue;
    const Place place{kRoot, folder_of(agent.name) + "/" + std::string(id) + std::string(kEnd)};
    HOLDFAST_LET(there, feed.stat(place));
    if (there) return SessionRef{std::string(id), place, agent.name, {}};
  }
  return std::nullopt;
}

// {KEY:{"sessionId","label","displayName","spawnedBy":KEY,…},…}
Result<SessionFacts> read_log_facts(Feed& feed, const SessionRef& ref) {
  SessionFacts facts;
  auto document = feed.document({kRoot, folder_of(ref.project) + "/sessions.json"});
  if (!document && document.error().code != Code::too_large) return fail(std::move(document).error());
  if (!document || !*document) return facts;
  const JsonView all(**document);
  std::string own, starter;
  for (const JsonItem& entry : all.fields()) {
    const auto [session, label, name, spawned_by] =
        pick<4>(entry.value, {"sessionId", "label", "displayName", "spawnedBy"});
    if (!session.is_string(ref.id)) continue;
    own = entry.key();
    facts.title = text_of(label ? label : name);
    starter = text_of(spawned_by);
  }
  if (own.empty()) return facts;
  std::int64_t started = 0;
  for (const JsonItem& entry : all.fields()) {
    if (entry.value.find("spawnedBy").is_string(own)) ++started;
  }
  facts.subagents = started;
  const std::string parent = starter.empty() ? starter : text_of(all.find(starter).find("sessionId"));
  if (!parent.empty() && parent != ref.id) facts.parent = Parent{parent, ParentKind::subagent, {}};
  return facts;
}

}  // namespace holdfast::inline v1::openclaw
