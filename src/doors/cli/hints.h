// What people are told beside an answer, on standard error: how much there is, what was masked, what to
// do next. The data itself is on standard output. Thread-safety: pure functions.
#pragma once

#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Whole lines; empty: there is nothing to say. `params`: what was asked for.
std::string hints_of(JsonView answer, JsonView params = {});
// Of a list of sessions that is empty: nothing fits the filter, or there is nothing yet.
std::string no_sessions(JsonView params);

}  // namespace holdfast::inline v1
