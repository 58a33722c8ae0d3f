// Hints for people beside an answer, on standard error: how much there is, what was masked, what to do
// next. The data itself goes to standard output. Thread-safety: pure functions.
#pragma once

#include <set>
#include <string>

#include "text/json_value.h"

namespace holdfast::inline v1 {

// Whole lines; empty if there is nothing to say. `params` are those of the request, `machines` those of the hits that
// were shown ("" for this one).
std::string hints_of(JsonView answer, JsonView params = {}, const std::set<std::string>& machines = {});
// For an empty list of sessions: nothing matches the filter, what is there cannot be read (`findings`, which the
// warnings name), or there is nothing yet.
std::string no_sessions(JsonView params, JsonView findings = {});

}  // namespace holdfast::inline v1
