#include "layout/agent_home.h"
#include "layout/openclaw/belongings.h"
#include "layout/openclaw/openclaw_layout.h"

namespace holdfast::inline v1::openclaw {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".openclaw"}, .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::openclaw
