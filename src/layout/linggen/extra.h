// What Linggen's six fields have no place for: ids, models, token counts, … It
// stands in one member more at the end of a line, "holdfast", which the program
// passes over, and only when there is something to say.
#pragma once

#include <holdfast/message.h>

#include <string>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1::linggen {

inline constexpr std::string_view kExtra = "holdfast";

// Into a line that is being written. What belongs to the whole message stands in
// its first line; `block` is the call or result of the line, or nullptr.
void write_extra(JsonWriter& line, const Message& message, bool first, const Block* block);

struct BlockExtra {
  std::string call;  // the id of a call, or of the call that a result answers
  bool is_error = false;
};
BlockExtra read_extra(JsonView extra, Message& message);

}  // namespace holdfast::inline v1::linggen
