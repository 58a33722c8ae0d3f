// Writing YAML that every reader takes for the same values, of YAML 1.1 and 1.2.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// `text` as a scalar for block context (after "key: " or "- ", or as a key): plain
// where no reader could take it for anything but this string, else in double
// quotes with escapes; always one line. Never plain: words that some version takes
// for a boolean or null (`no`, `on`, `y`, `~`), whatever starts with a digit or a
// sign, spaces at an end, `: ` and ` #` inside, special first characters, and line
// ends or control characters of any kind. Bytes that are not UTF-8 become U+FFFD.
std::string yaml_scalar(std::string_view text);

// A whole document: block style, two spaces a level, "\n", keys in order. Numbers
// keep their bytes. Of duplicate keys the last is written. Reads back with
// yaml_to_json as the same value. Errors: invalid_argument (not one JSON value),
// too_large (more than kYamlMaxDepth levels).
Result<std::string> json_to_yaml(JsonView value);

// Whether the value stands on one line: a scalar, `{}` or `[]`.
bool is_yaml_inline(JsonView value);
// Such a value without line end.
std::string yaml_inline(JsonView value);
// Appends the lines of a container that is not empty, each behind `indent` spaces.
Result<void> append_yaml_block(std::string& out, JsonView value, std::size_t indent);
// Appends "key:" as it stands before a value; keys too long for the short form, as
// readers limit it to 1024 characters, become "? key" and ":" on a line of its own.
void append_yaml_key(std::string& out, std::string_view key, std::size_t indent);

}  // namespace holdfast::inline v1
