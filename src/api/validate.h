// Whether parameters fit the table. Thread-safety: pure function.
#pragma once

#include <holdfast/error.h>

#include <string_view>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// invalid_argument that names the parameter: unknown (with the nearest known
// one), missing, of another type, not one of its words, given twice. A null is
// as good as absent. `params` must be one JSON object.
Result<void> validate(const Operation& operation, JsonView params);

}  // namespace holdfast::inline v1
