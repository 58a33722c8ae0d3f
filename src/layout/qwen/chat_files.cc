#include "layout/qwen/chat_files.h"

#include "base/safe_name.h"

namespace holdfast::inline v1::qwen {
namespace {

constexpr std::string_view kEnd = ".jsonl";
constexpr std::string_view kAgent = "agent-";

std::string chats_of(const std::string& project) { return "projects/" + project + "/chats"; }
std::string agents_of(const std::string& project) { return "projects/" + project + "/subagents"; }

bool is_log(const FeedEntry& entry) {
  return !entry.directory && entry.name.size() > kEnd.size() && entry.name.ends_with(kEnd);
}
std::string stem(std::string_view name) { return std::string(name.substr(0, name.size() - kEnd.size())); }

// The AGENT in agent-AGENT.jsonl, else empty.
std::string agent_in(const FeedEntry& entry) {
  if (!is_log(entry) || !entry.name.starts_with(kAgent)) return {};
  return stem(entry.name).substr(kAgent.size());
}

Result<bool> list_project(Feed& feed, const std::string& project, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(chats, feed.list({kRoot, chats_of(project)}));
  for (const FeedEntry& chat : chats) {
    if (!is_log(chat)) continue;
    if (!take({stem(chat.name), {kRoot, chats_of(project) + "/" + chat.name}, project, {}})) return false;
  }
  HOLDFAST_LET(parents, feed.list({kRoot, agents_of(project)}));
  for (const FeedEntry& parent : parents) {
    if (!parent.directory) continue;
    const std::string folder = agents_of(project) + "/" + parent.name;
    HOLDFAST_LET(agents, feed.list({kRoot, folder}));
    for (const FeedEntry& agent : agents) {
      const std::string id = agent_in(agent);
      if (!id.empty() && !take({id, {kRoot, folder + "/" + agent.name}, project, parent.name, true})) return false;
    }
  }
  return true;
}

}  // namespace

Result<void> list_chats(Feed& feed, const std::function<bool(SessionRef)>& take) {
  HOLDFAST_LET(projects, feed.list({kRoot, "projects"}));
  for (const FeedEntry& project : projects) {
    if (!project.directory) continue;
    HOLDFAST_LET(wanted, list_project(feed, project.name, take));
    if (!wanted) break;
  }
  return {};
}

Result<void> locate_chats(Feed& feed, std::string_view id, const std::function<bool(SessionRef)>& take) {
  if (!is_plain_name(id)) return {};
  HOLDFAST_LET(projects, feed.list({kRoot, "projects"}));
  for (const FeedEntry& project : projects) {
    if (!project.directory) continue;
    const Place place{kRoot, chats_of(project.name) + "/" + std::string(id) + std::string(kEnd)};
    HOLDFAST_LET(there, feed.stat(place));
    if (there && !take({std::string(id), place, project.name, {}})) break;
  }
  return {};
}

Result<std::vector<std::string>> subagents_of(Feed& feed, const SessionRef& session) {
  std::vector<std::string> ids;
  HOLDFAST_LET(agents, feed.list({kRoot, agents_of(session.project) + "/" + session.id}));
  for (const FeedEntry& agent : agents) {
    if (std::string id = agent_in(agent); !id.empty()) ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace holdfast::inline v1::qwen
