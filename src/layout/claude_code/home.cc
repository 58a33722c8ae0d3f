#include <charconv>

#include "layout/agent_home.h"
#include "layout/claude_code/belongings.h"
#include "layout/claude_code/claude_code_layout.h"
#include "layout/claude_code/hooks.h"
#include "layout/claude_code/transcripts.h"
#include "layout/json_pick.h"

namespace holdfast::inline v1::claude_code {
namespace {

int days_kept(JsonView settings) {
  constexpr int kDefault = 30;
  return static_cast<int>(settings.find("cleanupPeriodDays").as_int64().value_or(kDefault));
}

// Reads sessions/PID.json; a killed process leaves its file behind.
Result<std::vector<LiveSign>> live_sessions(Feed& feed) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 16;
  HOLDFAST_LET(entries, feed.list({std::string(kRoot), "sessions"}));
  std::vector<LiveSign> signs;
  for (const FeedEntry& entry : entries) {
    if (entry.directory || !entry.name.ends_with(".json")) continue;
    const Place file{std::string(kRoot), "sessions/" + entry.name};
    const auto text = feed.document(file, kLargest);
    if (!text || !*text) continue;
    const auto [pid, session, start] = pick<3>(JsonView(**text), {"pid", "sessionId", "procStart"});
    LiveSign sign{.session = text_of(session), .pid = pid.as_int64().value_or(0), .file = file};
    const std::string ticks = text_of(start);
    std::from_chars(ticks.data(), ticks.data() + ticks.size(), sign.start);
    if (sign.pid > 0 && !sign.session.empty()) signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".claude", .variable = "CLAUDE_CONFIG_DIR", .needs = "projects"},
      .resume = {.command = "claude --resume", .in_project = true},
      .retention = {.setting = "cleanupPeriodDays", .days = days_kept},
      .belongings = &kBelongings,
      .hooks = {.file = "settings.json",
                .project_file = ".claude/settings.json",
                .text = kHooksText,
                .add = add_hooks,
                .remove = remove_hooks},
      .servers = {.format = AgentServers::Format::json,
                  .from = AgentServers::From::person,
                  .file = ".claude.json",
                  .key = "mcpServers",
                  .entry = R"({"type":"stdio","command":"holdfast","args":["mcp"]})"},
      .live = {.of_store = live_sessions}};
  return home;
}

}  // namespace holdfast::inline v1::claude_code
