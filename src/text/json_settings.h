// Settings in JSON that another program or a person wrote, before one value of them is edited: what cannot be edited
// without loss is refused in words for that person. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// corrupt: not one JSON object. Comments are not JSON.
Result<JsonView> settings_in(std::string_view bytes);

// schema_mismatch: a value is there, and is of another kind. `name` is what the message calls it.
Result<void> check_setting(JsonView value, JsonKind kind, std::string_view name);

}  // namespace holdfast::inline v1
