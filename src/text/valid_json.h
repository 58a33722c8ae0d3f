// Values that other programs stored where JSON belongs, as part of a result.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_write.h"

namespace holdfast::inline v1 {

// Returns one JSON value of UTF-8 on one line, whatever `given` is: `given` itself if it is one already.
// Replaces bytes that are not UTF-8 with U+FFFD, and turns anything that is not JSON into a string.
std::string valid_json(std::string_view given);

// Writes the same as the next value of `out`; writes `fallback` if `given` is empty.
JsonWriter& write_valid_json(JsonWriter& out, std::string_view given, std::string_view fallback = "null");

}  // namespace holdfast::inline v1
