// Reads YAML as JSON. What is preserved and what is not: docs/formats/yaml.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the first document of `yaml` as compact JSON; `null` if there is none. A
// plain scalar becomes a number if it is written as a JSON number, and true, false or
// null if it is `true`, `false`, `null`, `~` or empty; every other scalar, and every
// quoted or tagged one, is a string: `no`, `0123`, `.5` and `2026-01-01` keep their
// spelling and the caller's schema decides. Keys are strings in document order; of
// duplicates, the last one wins. A document that is a JSON object or array is read as
// JSON. Aliases are expanded; the merge key `<<` is a key like any other.
// Errors: corrupt (with the line), unsupported (a key that is not a scalar), too_large
// (over 10 MB, 100,000 values or 128 levels, aliases expanded).
Result<std::string> yaml_to_json(std::string_view yaml);

// Whether `text` is JSON already: an object or an array with optional white space around it.
bool is_json_container(std::string_view text);

}  // namespace holdfast::inline v1
