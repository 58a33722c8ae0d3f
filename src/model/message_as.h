// A message in the shape of another API, with everything that came in that shape and was kept in `extra`. An id that
// the native store made is not said: nobody gave it.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// One message of the Messages API. The data of media must have been read.
void write_as_anthropic(JsonWriter& json, const Message& message);

// The items of the Responses API that the message is, in order: into an array that is open.
void write_as_openai(JsonWriter& json, const Message& message);

}  // namespace holdfast::inline v1
