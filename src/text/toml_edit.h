// One key of a TOML file changes; comments, order, spacing and line ends stay.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "text/json_edit.h"

namespace holdfast::inline v1 {

// `doc` with the value at `path` set to `value_json`. An equal value gives back the
// same bytes. A value that exists is replaced in place, in one line. A missing key
// goes behind the last plain key of its table; a missing table is made at the end
// of the file. Inline tables and arrays on the way are rewritten as a whole.
// Every result was read again and differs from `doc` in that value only.
// Errors: invalid_argument (value is not JSON, or empty path), corrupt (doc is not
// TOML), schema_mismatch, not_found (as json_set), unsupported (a null; a table
// written with headers cannot be replaced at once), too_large.
Result<std::string> toml_set(std::string_view doc, JsonPath path, std::string_view value_json);

inline Result<std::string> toml_set(std::string_view doc, std::initializer_list<JsonStep> path,
                                    std::string_view value_json) {
  return toml_set(doc, JsonPath(path.begin(), path.size()), value_json);
}

}  // namespace holdfast::inline v1
