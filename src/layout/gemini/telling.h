// Says a conversation to Events: one Message for each answer and prompt, and one
// for the results of its calls.
#pragma once

#include "layout/gemini/conversation.h"
#include "model/events.h"

namespace holdfast::inline v1::gemini {

struct Telling {
  bool subagent = false;  // its first text is its task; later ones are the client's
  std::string outputs;    // tmp/PROJECT/tool-outputs: where big results lie
  bool whole = true;      // read those back
};

// Consumes the messages. False: no more wanted.
Result<bool> tell(Feed& feed, Conversation& conversation, const Telling& telling, Events& events);

// What the writer was doing when the file ends.
Pending pending_of(const std::vector<ChatMessage>& messages);

}  // namespace holdfast::inline v1::gemini
