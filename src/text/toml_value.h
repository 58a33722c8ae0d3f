// Reading TOML as JSON, and writing a whole configuration as TOML.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The document as one compact JSON object, keys in the order of the text. Numbers
// that are JSON keep their spelling (1.50), others are converted (0x1F, 1_000).
// Dates, times, inf and nan become strings as they are written.
// Errors: corrupt (with the line), too_large.
Result<std::string> toml_to_json(std::string_view toml);

// A JSON object as TOML: plain keys first, then [tables], then [[arrays of
// tables]], each in their order. Of duplicate keys the last is written. Reads back
// as the same value but for the order of keys.
// Errors: invalid_argument (not one JSON object), unsupported (TOML has no null, no
// integers beyond 64 bits), too_large (nested deeper than kTomlMaxChain).
Result<std::string> json_to_toml(JsonView object);

// A key as TOML spells it: bare where it may be, else in quotes.
std::string toml_key(std::string_view key);
// A value as it stands behind `key = `, on one line. Errors: as json_to_toml.
Result<std::string> toml_inline(JsonView value);

}  // namespace holdfast::inline v1
