#include "layout/agent_home.h"
#include "layout/opencode/belongings.h"
#include "layout/opencode/opencode_layout.h"

namespace holdfast::inline v1::opencode {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.from = HomeFolder::From::data, .folder = "opencode", .needs = "opencode.db"},
      .resume = {.command = "opencode --session", .in_project = true},
      .belongings = &kBelongings,
      .servers = {.format = AgentServers::Format::json,
                  .from = AgentServers::From::config,
                  .file = "opencode/opencode.json",
                  .or_file = "opencode/opencode.jsonc",
                  .key = "mcp",
                  .entry = R"({"type":"local","command":["holdfast","mcp"],"enabled":true})"}};
  return home;
}

}  // namespace holdfast::inline v1::opencode
