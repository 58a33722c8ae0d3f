// Which sessions and threads a request is about, in whatever form it names them:
// as a parameter, or inside an object that it hands over. The one place that says
// so; doors keep requests about the same ones in order.
// Thread-safety: pure function.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Ids as the caller wrote them: whole, a prefix, @last, LAYOUT/ID. `params` may not be valid yet. Requests about
// records that belong to no session (initiatives, permissions, missions, …) have a name of their kind in common.
std::vector<std::string> sessions_meant(const Operation& operation, JsonView params);

}  // namespace holdfast::inline v1
