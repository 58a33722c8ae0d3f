// openclaw's names for the tools that most agents have.
#include "layout/tool_names.h"

#include <array>

#include "layout/openclaw/openclaw_layout.h"

namespace holdfast::inline v1::openclaw {

std::span<const ToolName> tool_names() {
  static constexpr auto names = std::to_array<ToolName>({
      {.tool = Tool::shell, .name = "exec", .arguments = {{{"command", "command"}, {"directory", "workdir"}}}},
      {.tool = Tool::read, .name = "read", .arguments = {{{"path", "path"}, {"offset", "offset"}, {"limit", "limit"}}}},
      {.tool = Tool::write, .name = "write", .arguments = {{{"path", "path"}, {"content", "content"}}}},
      {.tool = Tool::edit, .name = "edit", .arguments = {{{"path", "path"}, {"old", "oldText"}, {"new", "newText"}}}},
      {.tool = Tool::fetch, .name = "web_fetch", .arguments = {{{"url", "url"}}}},
  });
  return names;
}

}  // namespace holdfast::inline v1::openclaw
