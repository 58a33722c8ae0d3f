// One line of events.jsonl in the model's words: a message, or news of the session.
#pragma once

#include <holdfast/message.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1::copilot {

enum class EventKind {
  user,         // `message`
  answer,       // `message`; `api_call` names what its usage is recorded by
  tool_result,  // `message`
  aside,        // `message`: everything else that is shown, unknown types among them
  abort,        // `message`; the turn ends without an answer
  usage,        // `message.usage` and `.model`, of `api_call`
  start,        // and resume: `data` says where and with which model
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

// Without `whole` only what counting needs is filled. Views point into the line.
CopilotEvent read_event(std::string_view line, bool whole);

}  // namespace holdfast::inline v1::copilot
