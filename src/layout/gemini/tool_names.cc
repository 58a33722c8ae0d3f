// Gemini CLI's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/gemini/gemini_layout.h"

namespace holdfast::inline v1::gemini {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell,
       .name = "run_shell_command",
       .arguments = {{{"command", "command"}, {"description", "description"}, {"directory", "dir_path"}}}},
      {.tool = Tool::shell,
       .name = "run_shell_command",
       .arguments = {{{"command", "command"}, {"description", "description"}, {"directory", "directory"}}},
       .older = true},
      {.tool = Tool::read, .name = "read_file", .arguments = {{{"path", "file_path"}}}},
      {.tool = Tool::read, .name = "read_file", .arguments = {{{"path", "absolute_path"}}}, .older = true},
      {.tool = Tool::write, .name = "write_file", .arguments = {{{"path", "file_path"}, {"content", "content"}}}},
      {.tool = Tool::edit,
       .name = "replace",
       .arguments = {{{"path", "file_path"}, {"old", "old_string"}, {"new", "new_string"}}}},
      {.tool = Tool::search,
       .name = "grep_search",
       .arguments = {{{"pattern", "pattern"}, {"path", "dir_path"}, {"files", "include"}}}},
      {.tool = Tool::search,
       .name = "search_file_content",
       .arguments = {{{"pattern", "pattern"}, {"path", "dir_path"}, {"files", "include"}}},
       .older = true},
      {.tool = Tool::find, .name = "glob", .arguments = {{{"pattern", "pattern"}, {"path", "dir_path"}}}},
      {.tool = Tool::list, .name = "list_directory", .arguments = {{{"path", "dir_path"}}}},
      {.tool = Tool::list, .name = "list_directory", .arguments = {{{"path", "path"}}}, .older = true},
      {.tool = Tool::todo, .name = "write_todos", .arguments = {{{"items", "todos", "description"}}}},
      {.tool = Tool::task, .name = "invoke_agent", .arguments = {{{"prompt", "prompt"}, {"kind", "agent_name"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::gemini
