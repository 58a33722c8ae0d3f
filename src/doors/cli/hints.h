// What people are told beside an answer, on standard error: how much there is, what was masked, what to
// do next. The data itself is on standard output. Thread-safety: pure functions.
#pragma once

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Whole lines; empty: there is nothing to say.
std::string hints_of(JsonView answer);

}  // namespace holdfast::inline v1
