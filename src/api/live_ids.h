// Which sessions a store has now.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/stores.h"

namespace holdfast::inline v1 {

// The ids in the store of that layout in `root`, those in its trash included; none where there is no store. What could
// not be looked into is among the findings: the store may have more.
Result<std::set<std::string>> live_ids(const Context& context, Stores& stores, const std::string& layout,
                                       const std::string& root, std::vector<Finding>& findings);

}  // namespace holdfast::inline v1
