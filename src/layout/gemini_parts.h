// The parts of a Content of the Gemini API as agents store them: text, thoughts,
// calls and what came back. Thread-safety: pure functions.
#pragma once

#include <holdfast/message.h>

#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// {"functionResponse":{"id","name","response":{"output"|"error"}}}: the inner object.
Block read_function_response(JsonView response);

// One part, or a bare text, as a block at the end of `blocks`, an output with the images that it holds; what is not
// known is kept whole.
void read_gemini_part(JsonView part, std::vector<Block>& blocks);
// A list of parts, or a single one.
void read_gemini_parts(JsonView parts, std::vector<Block>& blocks);

}  // namespace holdfast::inline v1
