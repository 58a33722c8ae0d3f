// Qwen Code's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/qwen/qwen_layout.h"

namespace holdfast::inline v1::qwen {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell,
       .name = "run_shell_command",
       .arguments = {{{"command", "command"}, {"description", "description"}, {"directory", "directory"}}}},
      {.tool = Tool::read,
       .name = "read_file",
       .arguments = {{{"path", "file_path"}, {"offset", "offset"}, {"limit", "limit"}}}},
      {.tool = Tool::read,
       .name = "read_file",
       .arguments = {{{"path", "absolute_path"}, {"offset", "offset"}, {"limit", "limit"}}},
       .older = true},
      {.tool = Tool::write, .name = "write_file", .arguments = {{{"path", "file_path"}, {"content", "content"}}}},
      {.tool = Tool::edit,
       .name = "edit",
       .arguments = {{{"path", "file_path"}, {"old", "old_string"}, {"new", "new_string"}, {"all", "replace_all"}}}},
      {.tool = Tool::edit,
       .name = "replace",
       .arguments = {{{"path", "file_path"}, {"old", "old_string"}, {"new", "new_string"}}},
       .older = true},
      {.tool = Tool::search,
       .name = "grep_search",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "glob"}}}},
      {.tool = Tool::search,
       .name = "search_file_content",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "include"}}},
       .older = true},
      {.tool = Tool::find, .name = "glob", .arguments = {{{"pattern", "pattern"}, {"path", "path"}}}},
      {.tool = Tool::list, .name = "list_directory", .arguments = {{{"path", "path"}}}},
      {.tool = Tool::fetch, .name = "web_fetch", .arguments = {{{"url", "url"}, {"prompt", "prompt"}}}},
      {.tool = Tool::todo, .name = "todo_write", .arguments = {{{"items", "todos", "content"}}}},
      {.tool = Tool::task,
       .name = "agent",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "subagent_type"}}}},
      {.tool = Tool::task,
       .name = "task",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "subagent_type"}}},
       .older = true},
  });
  return names;
}

}  // namespace holdfast::inline v1::qwen
