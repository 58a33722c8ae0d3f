// How an agent calls the tools that most agents have, so that a session which
// goes to another agent speaks of the tools that are there (docs/formats/tools.md).
// Thread-safety: constant data.
#pragma once

#include <array>
#include <string_view>

namespace holdfast::inline v1 {

enum class Tool { shell, read, write, edit, search, find, list, fetch, todo, task };

// An argument by its common name and by the agent's own.
struct ToolArgument {
  std::string_view common = {};
  std::string_view own = {};
  std::string_view item = {};  // of a list of to-dos: the agent's name for what is to be done
};

struct ToolName {
  Tool tool = Tool::shell;
  std::string_view name = {};
  // The first one has to be there. Arguments that are not named here keep their names.
  std::array<ToolArgument, 5> arguments = {};
  bool older = false;  // understood, and no longer what the agent says
  bool words = false;  // the first argument is a list of words, the command line
};

}  // namespace holdfast::inline v1
