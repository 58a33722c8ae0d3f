// Codex's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/codex/codex_layout.h"

namespace holdfast::inline v1::codex {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell, .name = "exec_command", .arguments = {{{"command", "cmd"}, {"directory", "workdir"}}}},
      {.tool = Tool::shell,
       .name = "shell_command",
       .arguments = {{{"command", "command"}, {"directory", "workdir"}}},
       .older = true},
      {.tool = Tool::shell,
       .name = "shell",
       .arguments = {{{"command", "command"}, {"directory", "workdir"}}},
       .older = true,
       .words = true},
      {.tool = Tool::shell,
       .name = "local_shell",
       .arguments = {{{"command", "command"}, {"directory", "working_directory"}}},
       .older = true,
       .words = true},
      {.tool = Tool::todo, .name = "update_plan", .arguments = {{{"items", "plan", "step"}}}},
      {.tool = Tool::task, .name = "spawn_agent", .arguments = {{{"prompt", "message"}, {"kind", "agent_type"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::codex
