// Checks parameters against the table. Thread-safety: pure function.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Fails with invalid_argument, which names the parameter, if one is unknown (suggests
// another), missing, of the wrong type, not one of its words, or given twice. null counts
// as absent. `params` must be one JSON object.
Result<void> validate(const Operation& operation, JsonView params);

// The type (shape.h) that a value of the parameter is checked against; empty if the table knows only its kind.
std::string checked_type(const Parameter& parameter);

}  // namespace holdfast::inline v1
