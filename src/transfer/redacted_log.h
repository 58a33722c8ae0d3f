// A session as the policy `redacted` sends it to a remote: what was said, but not where. A log of the layout holdfast
// (docs/formats/holdfast.md) with meaningless ids; secrets and paths are masked; no title, project, picture, file or
// record of the agent's own. The log of a longer transcript begins with that of a shorter one.
// Thread-safety: pure function.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "layout/tool_names.h"

namespace holdfast::inline v1 {

struct RedactedLogOptions {
  std::string_view id = {};  // of the session
  // Maps an id of the agent to a replacement: always the same one, so that copies of a message can be recognized,
  // and impossible to guess the id from.
  std::function<std::string(std::string_view)> alias = {};
  std::span<const ToolName> tools = {};  // of the agent
  std::string home = {};                 // the person's directory
};

std::string redacted_log(Transcript transcript, const RedactedLogOptions& words);

}  // namespace holdfast::inline v1
