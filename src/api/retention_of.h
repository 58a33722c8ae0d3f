// How many completed sessions of a store are kept.
#pragma once

#include <holdfast/store.h>

#include "api/call.h"

namespace holdfast::inline v1 {

// The parameter `keep`, else the store's own setting session_retention; 0 for all.
Result<std::size_t> retention_of(const Call& call, Store& store);

}  // namespace holdfast::inline v1
