#include "layout/agent_home.h"
#include "layout/continue_dev/belongings.h"
#include "layout/continue_dev/continue_layout.h"

namespace holdfast::inline v1::continue_dev {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".continue"},
      .resume = {.command = "cn --fork", .in_project = true},
      .belongings = &kBelongings,
      .servers = {.by_hand = "keeps its servers in YAML, which Holdfast does not edit; add "
                             "to ~/.continue/config.yaml: mcpServers: [{name: holdfast, "
                             "command: holdfast, args: [mcp]}]"}};
  return home;
}

}  // namespace holdfast::inline v1::continue_dev
