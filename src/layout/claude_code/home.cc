#include "layout/agent_home.h"
#include "layout/claude_code/belongings.h"
#include "layout/claude_code/claude_code_layout.h"
#include "layout/claude_code/hooks.h"

namespace holdfast::inline v1::claude_code {
namespace {

int days_kept(JsonView settings) {
  constexpr int kDefault = 30;
  return static_cast<int>(settings.find("cleanupPeriodDays").as_int64().value_or(kDefault));
}

}  // namespace

const AgentHome& home() {
  static constexpr AgentHome home = {
      .place = {.folder = ".claude", .variable = "CLAUDE_CONFIG_DIR", .needs = "projects"},
      .resume = {.command = "claude --resume", .in_project = true},
      .retention = {.setting = "cleanupPeriodDays", .days = days_kept},
      .belongings = &kBelongings,
      .hooks = {.file = "settings.json",
                .project_file = ".claude/settings.json",
                .text = kHooksText,
                .add = add_hook,
                .remove = remove_hook}};
  return home;
}

}  // namespace holdfast::inline v1::claude_code
