// Reads ATIF trajectories 1.0 to 1.8.
#pragma once

#include "text/json_value.h"
#include "transfer/import.h"

namespace holdfast::inline v1 {

// Every step becomes a message, and its observation another one. Fails with invalid_argument, naming the invalid step.
Result<ImportedSession> read_atif(JsonView document);

}  // namespace holdfast::inline v1
