// A configuration as it is shown: without the keys and passwords in it.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// With a placeholder for everything that is a secret by its looks or by its name.
std::string without_secrets(std::string_view json);

// Whether a string in it is such a placeholder: what was shown must not come back as the value.
bool holds_placeholder(JsonView value);

}  // namespace holdfast::inline v1
