// What other programs stored where JSON belongs, as a part of an answer.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// One JSON value of UTF-8 on one line, whatever `given` is: itself if it is one already. U+FFFD
// stands for bytes that are not UTF-8, and what is no JSON becomes a string of its text.
std::string whole_json(std::string_view given);

// The same, as the next value of `out`; `otherwise` when `given` is empty.
JsonWriter& write_whole_json(JsonWriter& out, std::string_view given, std::string_view otherwise = "null");

}  // namespace holdfast::inline v1
