// A session as the policy `redacted` lets it go to a remote: what was said, and nothing of where. A log of the layout
// holdfast (docs/formats/holdfast.md) with ids that say nothing; secrets and paths masked; no title, project, picture,
// file or record of the agent's own. The log of a longer transcript begins with that of a shorter one.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "layout/tool_names.h"

namespace holdfast::inline v1 {

struct RedactedWords {
  std::string_view id = {};  // of the session
  // What an id of the agent is called: the same each time, so that a copy of a message is known as one, and nothing
  // that anybody could guess it from.
  std::function<std::string(std::string_view)> alias = {};
  std::span<const ToolName> tools = {};  // of the agent
};

std::string redacted_log(Transcript transcript, const RedactedWords& words);

}  // namespace holdfast::inline v1
