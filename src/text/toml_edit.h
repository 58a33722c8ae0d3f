// Edits of one key in a TOML file; comments, order, spacing and line ends stay.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "text/json_edit.h"

namespace holdfast::inline v1 {

// Returns `doc` with the value at `path` set to `value_json`. If the value is equal
// already, returns the same bytes. Replaces an existing value in place, on one line.
// Adds a missing key after the last plain key of its table, and a missing table at the
// end of the file. Rewrites inline tables and arrays on the way as a whole. Parses
// every result again and checks that it differs from `doc` in that value only.
// Errors: invalid_argument (value is not JSON, or empty path), corrupt (doc is not
// TOML), schema_mismatch, not_found (as json_set), unsupported (a null; a table written
// with headers cannot be replaced at once), too_large.
Result<std::string> toml_set(std::string_view doc, JsonPath path, std::string_view value_json);

// Returns `doc` without the value at `path`, or unchanged if it does not exist. Removes
// a key with its line, a table with its headers and everything below them; keeps
// comments on their own lines. A table that exists only through its contents goes with
// the last of them. For elements of arrays and keys of inline tables, rewrites the
// enclosing value. Checks the result as above.
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
