// A session in a page or two of Markdown, for an agent or a person who has never
// seen it: what it was about, what was asked last, which files were touched, what
// is left to do. Thread-safety: pure function.
#pragma once

#include <holdfast/session.h>

#include <span>
#include <string>

#include "handoff/conversation.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {

// At most about 16 KiB. `names` are what the session's tools are called.
std::string brief_of(const Session& session, const Conversation& conversation, std::span<const ToolName> names);

}  // namespace holdfast::inline v1
