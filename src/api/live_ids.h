// The sessions that a store has now.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/stores.h"

namespace holdfast::inline v1 {

// Returns the ids in the store of that layout in `root`, including those in its trash; none if there is no store. Adds
// what could not be read to the findings: the store may have more sessions.
Result<std::set<std::string>> live_ids(const Context& context, Stores& stores, const std::string& layout,
                                       const std::string& root, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
