// A configuration as it is shown to people: without keys and passwords.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Replaces every value that looks like a secret, or whose name says so, with a placeholder.
std::string without_secrets(std::string_view json);

// Whether a string in it is such a placeholder, which must not be stored as the value.
bool holds_placeholder(JsonView value);

}  // namespace holdfast::inline v1
