// Strings from JSON and into JSON.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Returns the decoded string of a key; empty if there is none.
inline std::string json_text(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

// With quotes and escapes.
inline std::string json_quoted(std::string_view text) { return JsonWriter().string(text).take(); }

}  // namespace holdfast::inline v1
