// opencode's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/opencode/opencode_layout.h"

namespace holdfast::inline v1::opencode {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell,
       .name = "bash",
       .arguments = {{{"command", "command"},
                      {"description", "description"},
                      {"directory", "workdir"},
                      {"timeout", "timeout"}}}},
      {.tool = Tool::read,
       .name = "read",
       .arguments = {{{"path", "filePath"}, {"offset", "offset"}, {"limit", "limit"}}}},
      {.tool = Tool::write, .name = "write", .arguments = {{{"path", "filePath"}, {"content", "content"}}}},
      {.tool = Tool::edit,
       .name = "edit",
       .arguments = {{{"path", "filePath"}, {"old", "oldString"}, {"new", "newString"}, {"all", "replaceAll"}}}},
      {.tool = Tool::search,
       .name = "grep",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "include"}}}},
      {.tool = Tool::find, .name = "glob", .arguments = {{{"pattern", "pattern"}, {"path", "path"}}}},
      {.tool = Tool::list, .name = "list", .arguments = {{{"path", "path"}}}},
      {.tool = Tool::fetch, .name = "webfetch", .arguments = {{{"url", "url"}}}},
      {.tool = Tool::todo, .name = "todowrite", .arguments = {{{"items", "todos", "content"}}}},
      {.tool = Tool::task,
       .name = "task",
       .arguments = {{{"prompt", "prompt"}, {"description", "description"}, {"kind", "subagent_type"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::opencode
