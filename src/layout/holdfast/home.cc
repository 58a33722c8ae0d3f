#include "layout/agent_home.h"
#include "layout/holdfast/belongings.h"
#include "layout/holdfast/native_layout.h"

namespace holdfast::inline v1::native {

const AgentHome& home() {
  static constexpr AgentHome home = {.resume = {.command = "holdfast session resume"}, .belongings = &kBelongings};
  return home;
}

}  // namespace holdfast::inline v1::native
