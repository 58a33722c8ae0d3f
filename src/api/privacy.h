// The privacy of a thread, as callers give it. A switch that is misspelled must not pass for one that is on: whoever
// asks for redaction and is not refused relies on it (decision 51). Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// The members that say something: null counts as absent. Empty: none does. `stored`: that of the thread as it is; what
// a newer program has added there may come back. invalid_argument for any other member, and a wrong type.
Result<std::string> checked_privacy(JsonView given, JsonView stored);

// A thread with its privacy checked so.
Result<std::string> with_checked_privacy(JsonView thread, JsonView stored);

}  // namespace holdfast::inline v1
