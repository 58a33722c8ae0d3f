// Writes YAML that all readers of YAML 1.1 and 1.2 interpret the same way.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Returns `text` as a scalar for block context (after "key: " or "- ", or as a key):
// plain if no reader could take it for anything but this string, else in double quotes
// with escapes; always one line. Never plain: words that some version reads as a
// boolean or null (`no`, `on`, `y`, `~`), anything that starts with a digit or a sign,
// leading or trailing spaces, `: ` and ` #` inside, special first characters, and line
// ends or control characters of any kind. Bytes that are not UTF-8 become U+FFFD.
std::string yaml_scalar(std::string_view text);

// Returns a whole document: block style, two spaces per level, "\n", keys in order.
// Numbers keep their bytes. Of duplicate keys, the last one is written. Reads back with
// yaml_to_json as the same value. Errors: invalid_argument (not one JSON value),
// too_large (more than kYamlMaxDepth levels).
Result<std::string> json_to_yaml(JsonView value);

// Whether the value fits on one line: a scalar, `{}` or `[]`.
bool is_yaml_inline(JsonView value);
// Returns such a value without a line end.
std::string yaml_inline(JsonView value);
// Appends the lines of a nonempty container, each indented by `indent` spaces.
Result<void> append_yaml_block(std::string& out, JsonView value, std::size_t indent);
// Appends "key:" as written before a value. A key over the 1024 characters that readers
// allow in this form becomes "? key" and ":" on its own line.
void append_yaml_key(std::string& out, std::string_view key, std::size_t indent);

}  // namespace holdfast::inline v1
