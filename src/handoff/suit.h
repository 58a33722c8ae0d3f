// Makes a conversation one that the next agent can have had: its tools, its
// rules for turns, calls and ids. Thread-safety: pure functions.
#pragma once

#include <span>

#include "handoff/conversation.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1 {

struct SuitOptions {
  NewSessionTraits traits = {};
  std::span<const ToolName> from = {};  // what the tools of the session are called
  std::span<const ToolName> to = {};    // what they are called from now on; both empty: they keep their names
  bool redact = false;                  // secrets become placeholders
};

// The report tells what was changed, and at its end what is carried.
void suit(Conversation& conversation, const SuitOptions& options);

}  // namespace holdfast::inline v1
