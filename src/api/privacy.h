// Checks the privacy settings of a thread. A misspelled switch must be an error: a caller that requests redaction and
// gets no error relies on it (decision 51). Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Returns the members that are set (null counts as absent); empty if there are none. Members that a newer program added
// to `stored`, the thread's current privacy, are allowed. Fails with invalid_argument for any other unknown member and
// for a wrong type.
Result<std::string> checked_privacy(JsonView given, JsonView stored);

// Returns the thread with its privacy checked this way.
Result<std::string> with_checked_privacy(JsonView thread, JsonView stored);

}  // namespace holdfast::inline v1
