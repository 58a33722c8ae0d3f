// The layouts of this build, one per line; NAME_layout() is in the folder of the agent.
// If several layouts could answer, they are asked in this order.
#include <array>

#include "layout/layout.h"

#define HOLDFAST_LAYOUTS(LAYOUT) \
  LAYOUT(native)                 \
  LAYOUT(lopen)                  \
  LAYOUT(workflow)               \
  LAYOUT(open_agent)             \
  LAYOUT(linggen)                \
  LAYOUT(claude_code)            \
  LAYOUT(codex)                  \
  LAYOUT(gemini)                 \
  LAYOUT(qwen)                   \
  LAYOUT(copilot)                \
  LAYOUT(continue)               \
  LAYOUT(openclaw)               \
  LAYOUT(pi)                     \
  LAYOUT(opencode)               \
  LAYOUT(maestro)

namespace holdfast::inline v1 {

#define HOLDFAST_DECLARE(name) const Layout& name##_layout();
HOLDFAST_LAYOUTS(HOLDFAST_DECLARE)

std::span<const Layout* const> layouts() {
#define HOLDFAST_ADDRESS(name) &name##_layout(),
  static const auto all = std::to_array<const Layout*>({HOLDFAST_LAYOUTS(HOLDFAST_ADDRESS)});
  return all;
}

}  // namespace holdfast::inline v1
