#include <charconv>

#include "layout/agent_home.h"
#include "layout/copilot/belongings.h"
#include "layout/copilot/copilot_layout.h"
#include "layout/copilot/session_folders.h"

namespace holdfast::inline v1::copilot {
namespace {

// Reads inuse.PID.lock beside the events; a killed process leaves its file behind.
std::vector<LiveSign> live_signs(const SessionRef& ref) {
  constexpr std::string_view kBegin = "inuse.";
  std::vector<LiveSign> signs;
  for (const std::string& name : locks_of(ref)) {
    LiveSign sign{.session = ref.id, .file = {ref.place.root, ref.place.path}};
    sign.file.path.replace(sign.file.path.rfind('/') + 1, std::string::npos, name);
    std::from_chars(name.data() + kBegin.size(), name.data() + name.size(), sign.pid);
    if (sign.pid > 0) signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".copilot"},
      .resume = {.command = "copilot --resume=", .in_project = true},
      .belongings = &kBelongings,
      .servers = {.format = AgentServers::Format::json,
                  .file = "mcp-config.json",
                  .key = "mcpServers",
                  .entry = R"({"type":"local","command":"holdfast","args":["mcp"],"tools":["*"]})"},
      .live = {.of_session = live_signs}};
  return home;
}

}  // namespace holdfast::inline v1::copilot
