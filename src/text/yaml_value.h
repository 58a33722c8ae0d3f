// Reading YAML as JSON. What is kept and what is not: docs/formats/yaml.md.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// The first document of `yaml` as compact JSON; `null` when there is none.
// A plain scalar becomes a number when it is written as a JSON number, and true,
// false or null when it is `true`, `false`, `null`, `~` or nothing at all; every
// other scalar, and every quoted or tagged one, is a string: `no`, `0123`, `.5`
// and `2026-01-01` keep their spelling and the caller's schema decides.
// Keys are strings in the order of the text; of duplicates the last stands.
// A document that is a JSON object or array is read as JSON.
// Aliases are expanded; the merge key `<<` is a key like any other.
// Errors: corrupt (with the line), unsupported (a key that is no scalar),
// too_large (over 10 MB, 100,000 values or 128 levels, aliases expanded).
Result<std::string> yaml_to_json(std::string_view yaml);

// Whether `text` is JSON as it stands: an object or an array and white space around it.
bool is_json_container(std::string_view text);

}  // namespace holdfast::inline v1
