#include "layout/agent_home.h"
#include "layout/codex/belongings.h"
#include "layout/codex/codex_layout.h"
#include "layout/codex/thread_files.h"

namespace holdfast::inline v1::codex {
namespace {

// A process that writes a thread holds the lock of thread-writer-locks/THREAD.lock.
Result<std::vector<LiveSign>> live_threads(Feed& feed) {
  constexpr std::string_view kFolder = "thread-writer-locks/", kEnd = ".lock";
  HOLDFAST_LET(entries, feed.list({kRoot, "thread-writer-locks"}));
  std::vector<LiveSign> signs;
  for (const FeedEntry& entry : entries) {
    if (entry.directory || entry.name.starts_with('.') || !entry.name.ends_with(kEnd)) continue;
    signs.push_back({.session = entry.name.substr(0, entry.name.size() - kEnd.size()),
                     .file = {kRoot, std::string(kFolder) + entry.name}});
  }
  return signs;
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".codex", .variable = "CODEX_HOME", .needs = "sessions", .or_needs = "archived_sessions"},
      .resume = {.command = "codex resume", .in_project = true},
      .belongings = &kBelongings,
      .servers = {.format = AgentServers::Format::toml,
                  .file = "config.toml",
                  .key = "mcp_servers",
                  .entry = R"({"command":"holdfast","args":["mcp"]})"},
      .live = {.of_store = live_threads}};
  return home;
}

}  // namespace holdfast::inline v1::codex
