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

// `doc` without the value at `path`, the same bytes when it is not there. A key
// goes with its line, a table with its headers and everything below them;
// comments on lines of their own stay. A table that was only there by what it
// held goes with the last of it. Elements of arrays and keys of inline tables:
// the value around them is rewritten. Read again as above.
// Errors: invalid_argument (empty path), corrupt, unsupported.
Result<std::string> toml_remove(std::string_view doc, JsonPath path);

inline Result<std::string> toml_remove(std::string_view doc, std::initializer_list<JsonStep> path) {
  return toml_remove(doc, JsonPath(path.begin(), path.size()));
}

inline Result<std::string> toml_set(std::string_view doc, std::initializer_list<JsonStep> path,
                                    std::string_view value_json) {
  return toml_set(doc, JsonPath(path.begin(), path.size()), value_json);
}

}  // namespace holdfast::inline v1
