// Members of JSON objects as plain values, and strings as JSON.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Returns the decoded string of a key; empty if there is none.
inline std::string json_text(JsonView json, std::string_view key) { return json.find(key).as_string().value_or(""); }

// Returns the number of a key; 0 if there is none, or a negative one.
inline std::uint64_t json_count(JsonView json, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(json.find(key).as_int64().value_or(0), 0));
}

// A value as text for people: a string as it is, anything else as JSON.
inline std::string text_or_json(JsonView value) { return value.as_string().value_or(std::string(value.raw())); }

// With quotes and escapes.
inline std::string json_quoted(std::string_view text) { return JsonWriter().string(text).take(); }

}  // namespace holdfast::inline v1
