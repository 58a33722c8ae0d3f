// Writes a message in the format of another API, with everything that came in that format and was kept in `extra`.
// What a layout made up (WritableLayout::clear_made_up) must be cleared before, because nobody gave it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// Writes one message of the Messages API. The data of media must have been read.
void write_as_anthropic(JsonWriter& json, const Message& message);

// Writes the message as items of the Responses API, in order, into an open array.
void write_as_openai(JsonWriter& json, const Message& message);

}  // namespace holdfast::inline v1
