// Checks parameters against the table. Thread-safety: pure function.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Fails with invalid_argument, which names the parameter, if one is unknown (suggests
// another), missing, of the wrong type, not one of its words, or given twice. null counts
// as absent. `params` must be one JSON object.
Result<void> validate(const Operation& operation, JsonView params);

}  // namespace holdfast::inline v1
