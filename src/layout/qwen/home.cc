#include "layout/agent_home.h"
#include "layout/qwen/belongings.h"
#include "layout/qwen/qwen_layout.h"

namespace holdfast::inline v1::qwen {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".qwen"},
                                     .resume = {.command = "qwen --resume", .in_project = true},
                                     .belongings = &kBelongings,
                                     .servers = {.format = AgentServers::Format::json,
                                                 .file = "settings.json",
                                                 .key = "mcpServers",
                                                 .entry = R"({"command":"holdfast","args":["mcp"]})"}};
  return home;
}

}  // namespace holdfast::inline v1::qwen
