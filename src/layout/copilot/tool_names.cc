// Copilot CLI's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/copilot/copilot_layout.h"

namespace holdfast::inline v1::copilot {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell, .name = "bash", .arguments = {{{"command", "command"}, {"description", "description"}}}},
      {.tool = Tool::read, .name = "view", .arguments = {{{"path", "path"}}}},
      {.tool = Tool::write, .name = "create", .arguments = {{{"path", "path"}, {"content", "file_text"}}}},
      {.tool = Tool::edit, .name = "edit", .arguments = {{{"path", "path"}, {"old", "old_str"}, {"new", "new_str"}}}},
      {.tool = Tool::search,
       .name = "grep",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "glob"}}}},
      {.tool = Tool::find, .name = "glob", .arguments = {{{"pattern", "pattern"}, {"path", "path"}}}},
      {.tool = Tool::fetch, .name = "web_fetch", .arguments = {{{"url", "url"}}}},
      {.tool = Tool::task,
       .name = "task",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "agent_type"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::copilot
