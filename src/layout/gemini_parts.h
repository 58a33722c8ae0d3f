// The parts of a Content of the Gemini API as agents store them: text, thoughts, calls
// and responses. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// `response` is the inner object of {"functionResponse":{"id","name","response":{"output"|"error"}}}.
Block read_function_response(JsonView response);

// Appends one part, or a bare text, to `blocks` as a block; an output includes its images, documents and audio. Unknown
// parts are kept whole.
void read_gemini_part(JsonView part, std::vector<Block>& blocks);
// A list of parts, or a single one.
void read_gemini_parts(JsonView parts, std::vector<Block>& blocks);

}  // namespace holdfast::inline v1
