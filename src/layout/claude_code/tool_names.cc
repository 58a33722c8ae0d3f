// Claude Code's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/claude_code/claude_code_layout.h"

namespace holdfast::inline v1::claude_code {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell,
       .name = "Bash",
       .arguments = {{{"command", "command"}, {"description", "description"}, {"timeout", "timeout"}}}},
      {.tool = Tool::read,
       .name = "Read",
       .arguments = {{{"path", "file_path"}, {"offset", "offset"}, {"limit", "limit"}}}},
      {.tool = Tool::write, .name = "Write", .arguments = {{{"path", "file_path"}, {"content", "content"}}}},
      {.tool = Tool::edit,
       .name = "Edit",
       .arguments = {{{"path", "file_path"}, {"old", "old_string"}, {"new", "new_string"}, {"all", "replace_all"}}}},
      {.tool = Tool::search,
       .name = "Grep",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "glob"}}}},
      {.tool = Tool::find, .name = "Glob", .arguments = {{{"pattern", "pattern"}, {"path", "path"}}}},
      {.tool = Tool::list, .name = "LS", .arguments = {{{"path", "path"}}}, .older = true},
      {.tool = Tool::fetch, .name = "WebFetch", .arguments = {{{"url", "url"}, {"prompt", "prompt"}}}},
      {.tool = Tool::todo, .name = "TodoWrite", .arguments = {{{"items", "todos", "content"}}}},
      {.tool = Tool::task,
       .name = "Agent",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "subagent_type"}}}},
      {.tool = Tool::task,
       .name = "Task",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "subagent_type"}}},
       .older = true},
  });
  return names;
}

}  // namespace holdfast::inline v1::claude_code
