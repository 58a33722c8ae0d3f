// The same JSON value with other whitespace. Strings and numbers keep their
// spelling. Thread-safety: pure functions.
#pragma once

#include <string>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Writes the value in the writer's layout.
void copy_json(JsonWriter& out, JsonView value);

// Without any whitespace between tokens: two values that differ in nothing else are equal so.
std::string compact_json(JsonView value);
// Whether compact_json spells both alike.
bool same_json(JsonView a, JsonView b);

// Two spaces a level, as a value that stands `depth` levels deep in a pretty document.
std::string pretty_json(JsonView value, std::size_t depth = 0);

}  // namespace holdfast::inline v1
