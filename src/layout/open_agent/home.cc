#include "layout/agent_home.h"
#include "layout/open_agent/belongings.h"
#include "layout/open_agent/open_agent_layout.h"

namespace holdfast::inline v1::open_agent {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".open-agent"},
                                     .resume = {.command = "holdfast session resume", .names_store = true},
                                     .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::open_agent
