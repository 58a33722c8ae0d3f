// The layouts of this build, one line each.
#include <array>

#include "layout/claude_code/claude_code_layout.h"
#include "layout/codex/codex_layout.h"
#include "layout/continue_dev/continue_layout.h"
#include "layout/copilot/copilot_layout.h"
#include "layout/gemini/gemini_layout.h"
#include "layout/holdfast/native_layout.h"
#include "layout/linggen/linggen_layout.h"
#include "layout/lopen/lopen_layout.h"
#include "layout/maestro/maestro_layout.h"
#include "layout/open_agent/open_agent_layout.h"
#include "layout/openclaw/openclaw_layout.h"
#include "layout/opencode/opencode_layout.h"
#include "layout/pi/pi_layout.h"
#include "layout/qwen/qwen_layout.h"
#include "layout/workflow/workflow_layout.h"

namespace holdfast::inline v1 {

std::span<const Layout* const> layouts() {
  static const auto all = std::to_array<const Layout*>({
      &native_layout(),
      &lopen_layout(),
      &linggen_layout(),
      &maestro_layout(),
      &open_agent_layout(),
      &claude_code_layout(),
      &workflow_layout(),
      &codex_layout(),
      &gemini_layout(),
      &opencode_layout(),
      &copilot_layout(),
      &continue_layout(),
      &qwen_layout(),
      &pi_layout(),
      &openclaw_layout(),
  });
  return all;
}

}  // namespace holdfast::inline v1
