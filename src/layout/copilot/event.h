// Parses one line of events.jsonl: a message, or a fact about the session.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::copilot {

enum class EventKind {
  user,         // `message`
  answer,       // `message`; `api_call` is the key of its usage
  tool_result,  // `message`
  aside,        // `message`: everything else that is shown, including unknown types
  abort,        // `message`; the turn ends without an answer
  usage,        // `message.usage` and `.model` of `api_call`
  start,        // `data` has the place and the model; so has that of resume
  resume,
  shutdown,
  turn_start,
  turn_end,
  model_change,
  quiet,  // repeats what other events say
};

struct CopilotEvent {
  EventKind kind = EventKind::quiet;
  Message message = {};  // its id, parent, time, agent and side are set for every kind
  std::string api_call = {};
  JsonView data = {};
};

// Without `whole`, only what counting needs is filled. Views point into the line.
CopilotEvent read_event(std::string_view line, bool whole);

}  // namespace holdfast::inline v1::copilot
