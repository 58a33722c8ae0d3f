// pi's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/pi/pi_layout.h"

namespace holdfast::inline v1::pi {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell, .name = "bash", .arguments = {{{"command", "command"}}}},
      {.tool = Tool::read, .name = "read", .arguments = {{{"path", "path"}, {"offset", "offset"}, {"limit", "limit"}}}},
      {.tool = Tool::write, .name = "write", .arguments = {{{"path", "path"}, {"content", "content"}}}},
      {.tool = Tool::edit, .name = "edit", .arguments = {{{"path", "path"}, {"old", "oldText"}, {"new", "newText"}}}},
      {.tool = Tool::search,
       .name = "grep",
       .arguments = {{{"pattern", "pattern"}, {"path", "path"}, {"files", "glob"}}}},
      {.tool = Tool::find, .name = "find", .arguments = {{{"pattern", "pattern"}, {"path", "path"}}}},
      {.tool = Tool::list, .name = "ls", .arguments = {{{"path", "path"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::pi
