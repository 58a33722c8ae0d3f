// Says in one sentence what a changing operation did. Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// "starred claude-code/3e01ca2c  Fix the parser", one line. nullopt if the answer itself should be shown, or
// nothing was done. Text of sessions is cleaned for a terminal.
std::optional<std::string> done_sentence(const Operation& operation, JsonView params, JsonView answer);

}  // namespace holdfast::inline v1
