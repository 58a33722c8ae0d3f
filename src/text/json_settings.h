// JSON settings that another program or a person wrote, before one value in them is edited. A file that cannot be
// edited without loss is refused with a message for that person. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Fails with corrupt if `bytes` is not one JSON object. Comments are not JSON.
Result<JsonView> parse_json_settings(std::string_view bytes);

// Fails with schema_mismatch if the value exists and is of another kind. `name` is its name in the message.
Result<void> check_setting(JsonView value, JsonKind kind, std::string_view name);

}  // namespace holdfast::inline v1
