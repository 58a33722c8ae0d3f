#include "layout/agent_home.h"
#include "layout/copilot/belongings.h"
#include "layout/copilot/copilot_layout.h"

namespace holdfast::inline v1::copilot {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".copilot"},
                                     .resume = {.command = "copilot --resume=", .in_project = true},
                                     .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::copilot
