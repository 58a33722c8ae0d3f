// Continue's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/continue_dev/continue_layout.h"

namespace holdfast::inline v1::continue_dev {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell, .name = "Bash", .arguments = {{{"command", "command"}}}},
      {.tool = Tool::read, .name = "Read", .arguments = {{{"path", "filepath"}}}},
      {.tool = Tool::write, .name = "Write", .arguments = {{{"path", "filepath"}, {"content", "content"}}}},
      {.tool = Tool::edit,
       .name = "Edit",
       .arguments = {{{"path", "file_path"}, {"old", "old_string"}, {"new", "new_string"}, {"all", "replace_all"}}}},
      {.tool = Tool::search,
       .name = "Search",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "file_pattern"}}}},
      {.tool = Tool::list, .name = "List", .arguments = {{{"path", "dirpath"}}}},
      {.tool = Tool::fetch, .name = "Fetch", .arguments = {{{"url", "url"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::continue_dev
