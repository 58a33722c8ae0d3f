// Reports a conversation to Events: one Message for each answer and prompt, and one for
// the results of its calls.
#pragma once

#include "layout/gemini/conversation.h"
#include "model/events.h"

namespace holdfast::inline v1::gemini {

struct Telling {
  bool subagent = false;  // its first text is its task; later ones come from the client
  std::string outputs;    // tmp/PROJECT/tool-outputs, the folder of large results
  bool whole = true;      // read large results back
};

// Consumes the messages. Returns false if the caller wants no more.
Result<bool> tell(Feed& feed, Conversation& conversation, const Telling& telling, Events& events);

// What the agent was doing when the file ended.
Pending pending_of(const std::vector<ChatMessage>& messages);

}  // namespace holdfast::inline v1::gemini
