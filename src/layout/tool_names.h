// An agent's names for the tools that most agents have, so that a session handed to
// another agent uses the tools of that agent (docs/formats/tools.md).
// Thread-safety: constant data.
#pragma once

#include <array>
#include <string_view>

namespace holdfast::inline v1 {

enum class Tool { shell, read, write, edit, search, find, list, fetch, todo, task };

// The common name of an argument and the agent's own.
struct ToolArgument {
  std::string_view common = {};
  std::string_view own = {};
  std::string_view item = {};  // in a list of to-dos, the agent's name for the text of an item
};

struct ToolName {
  Tool tool = Tool::shell;
  std::string_view name = {};
  // The first argument is required. Arguments that are not listed keep their names.
  std::array<ToolArgument, 5> arguments = {};
  bool older = false;  // understood, but no longer used by the agent
  bool words = false;  // the first argument is the command line as a list of words
};

}  // namespace holdfast::inline v1
