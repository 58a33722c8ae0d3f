// Reads the row of a session from its JSON. Thread-safety: pure function.
#pragma once

#include <holdfast/session.h>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Reads what write_session (model_json.h) wrote; members that are missing or of another kind count as unknown.
Session session_from_json(JsonView json);

}  // namespace holdfast::inline v1
