#include "layout/agent_home.h"
#include "layout/codex/belongings.h"
#include "layout/codex/codex_layout.h"

namespace holdfast::inline v1::codex {

const AgentHome& home() {
  static constexpr AgentHome home = {.place = {.folder = ".codex", .variable = "CODEX_HOME", .needs = "sessions"},
                                     .resume = {.command = "codex resume", .in_project = true},
                                     .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::codex
