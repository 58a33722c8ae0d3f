#include "layout/agent_home.h"
#include "layout/pi/belongings.h"
#include "layout/pi/pi_layout.h"

namespace holdfast::inline v1::pi {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".pi/agent", .needs = "sessions"},
                                     .resume = {.command = "pi --session", .in_project = true, .by_file = true},
                                     .belongings = &kBelongings,
                                     .servers = {.by_hand = "takes no servers by itself; to an extension that adds "
                                                            "them, name the command holdfast with the argument mcp"}};
  return home;
}

}  // namespace holdfast::inline v1::pi
