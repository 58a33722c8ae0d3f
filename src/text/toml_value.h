// Reads TOML as JSON, and writes a whole configuration as TOML.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Returns the document as one compact JSON object, keys in document order. Numbers that
// are valid JSON keep their spelling (1.50), others are converted (0x1F, 1_000). Dates,
// times, inf and nan become strings as written.
// Errors: corrupt (with the line), too_large.
Result<std::string> toml_to_json(std::string_view toml);

// Returns a JSON object as TOML: plain keys first, then [tables], then [[arrays of
// tables]], each in their original order. Of duplicate keys, the last one is written.
// Reads back as the same value except for the order of keys.
// Errors: invalid_argument (not one JSON object), unsupported (TOML has no null and no
// integers beyond 64 bits), too_large (nested deeper than kTomlMaxChain / 2).
Result<std::string> json_to_toml(JsonView object);

// Returns a key in TOML spelling: bare if possible, else quoted.
std::string toml_key(std::string_view key);
// Returns a value as written after `key = `, on one line.
// Errors: as json_to_toml.
Result<std::string> toml_inline(JsonView value);

}  // namespace holdfast::inline v1
