// Which sessions a call means: the parameters that list, search and stats share.
#pragma once

#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// project, since, until, status, layout, subagents.
std::vector<Parameter> filter_parameters();

// invalid_argument for a time that is none. `since` and `until` are ISO-8601, a
// day (2026-11-15), or an age (90m, 36h, 7d, 2w).
Result<SessionFilter> filter_of(const Call& call);

// The stores that are meant; none at all is an empty list, not an error.
Result<std::vector<StoreOptions>> stores_of(const Call& call);

// Calls `work` with each store, opened for reading. One that cannot be opened or
// fails is a finding and never hides the others, unless it is the only one.
using StoreWork = std::function<Result<void>(Store& store)>;
Result<std::vector<StoreFinding>> for_each_store(const Call& call, const std::vector<StoreOptions>& stores,
                                                 const StoreWork& work);

}  // namespace holdfast::inline v1
