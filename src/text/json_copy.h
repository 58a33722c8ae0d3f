// The same JSON value with different whitespace. Strings and numbers keep their
// spelling. Thread-safety: pure functions.
#pragma once

#include <string>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Writes the value in the writer's layout.
void copy_json(JsonWriter& out, JsonView value);

// Removes all whitespace between tokens: values that differ only in whitespace become equal.
std::string compact_json(JsonView value);
// Whether compact_json writes both the same way.
bool same_json(JsonView a, JsonView b);

// Indents by two spaces per level, as for a value nested `depth` levels deep in a pretty-printed document.
std::string pretty_json(JsonView value, std::size_t depth = 0);

}  // namespace holdfast::inline v1
