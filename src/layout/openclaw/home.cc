#include "layout/agent_home.h"
#include "layout/openclaw/belongings.h"
#include "layout/openclaw/openclaw_layout.h"

namespace holdfast::inline v1::openclaw {

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".openclaw"},
      .belongings = &kBelongings,
      .servers = {.by_hand = "has a command for its servers, so Holdfast leaves its settings alone; run openclaw mcp "
                             "set holdfast '{\"command\":\"holdfast\",\"args\":[\"mcp\"]}'"}};
  return home;
}

}  // namespace holdfast::inline v1::openclaw
