// The calls of an answer as the API of chat completions writes them: beside the content, in `tool_calls`, or in
// `function_call` of its first version. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include "model/members.h"

namespace holdfast::inline v1 {

// Adds them to the blocks of an answer that has no calls yet. An element of an unknown form is kept verbatim. An answer
// without any content may have a refusal or a recording in its place, which are kept verbatim too.
void read_chat_calls(Members& given, Message& message);

}  // namespace holdfast::inline v1
