// Edits of YAML that keep every other byte: comments, order, line ends, indentation,
// unknown keys. Guarantees: docs/formats/yaml.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "text/json_edit.h"

namespace holdfast::inline v1 {

// Returns `doc` with the value at `path` of its first document set to `value_json`,
// formatted as in yaml_write.h. If the value is equal already, returns the same bytes.
// Follows block mappings; rewrites a flow mapping, a list or an alias on the way as a
// whole in block style. Adds a missing key as the last of its mapping, and creates
// missing mappings on the way. Of duplicate keys, the last one changes. Parses every
// result again and checks that it differs from `doc` in that value only.
// Errors: invalid_argument (value is not JSON, or empty path), corrupt (doc is not
// YAML), schema_mismatch (a step meets the wrong kind), not_found (index past the end),
// unsupported (this spelling cannot be spliced without changing something else:
// anchored values that are used elsewhere, `? key`), too_large.
Result<std::string> yaml_set(std::string_view doc, JsonPath path, std::string_view value_json);

// Returns `doc` without the key at `path` and its value, or unchanged if it does not
// exist. Removes all duplicates. A mapping that becomes empty becomes `{}`.
Result<std::string> yaml_remove(std::string_view doc, JsonPath path);

inline Result<std::string> yaml_set(std::string_view doc, std::string_view key, std::string_view value_json) {
  const JsonStep step(key);
  return yaml_set(doc, JsonPath(&step, 1), value_json);
}
inline Result<std::string> yaml_remove(std::string_view doc, std::string_view key) {
  const JsonStep step(key);
  return yaml_remove(doc, JsonPath(&step, 1));
}
inline Result<std::string> yaml_set(std::string_view doc, std::initializer_list<JsonStep> path,
                                    std::string_view value_json) {
  return yaml_set(doc, JsonPath(path.begin(), path.size()), value_json);
}
inline Result<std::string> yaml_remove(std::string_view doc, std::initializer_list<JsonStep> path) {
  return yaml_remove(doc, JsonPath(path.begin(), path.size()));
}

}  // namespace holdfast::inline v1
