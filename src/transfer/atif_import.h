// ATIF trajectories 1.0 to 1.8 in the model's words.
#pragma once

#include "text/json_value.h"
#include "transfer/import.h"

namespace holdfast::inline v1 {

// Every step is a message, and its observation another one. invalid_argument names the step that is none.
Result<ImportedSession> read_atif(JsonView document);

}  // namespace holdfast::inline v1
