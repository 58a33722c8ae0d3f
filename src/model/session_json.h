// The row of a session back from its JSON. Thread-safety: pure function.
#pragma once

#include <holdfast/session.h>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// What write_session (model_json.h) wrote; whatever is missing or of another kind is as if it were not known.
Session session_from_json(JsonView json);

}  // namespace holdfast::inline v1
