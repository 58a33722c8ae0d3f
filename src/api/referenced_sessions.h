// Which sessions and threads a request refers to, as a parameter or inside an object
// that it passes. Doors use this to keep requests about the same session in order;
// no other code decides it.
// Thread-safety: pure function.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Returns ids as the caller wrote them: whole, a prefix, @last, LAYOUT/ID. `params` need not be valid. Requests about
// records that belong to no session (initiatives, permissions, missions, …) share one name per kind.
std::vector<std::string> referenced_sessions(const Operation& operation, JsonView params);

}  // namespace holdfast::inline v1
