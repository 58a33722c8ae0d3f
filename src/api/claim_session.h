// Who a session belongs to once a call begins to work on it (decision 14): the
// door that stays open, the process that a script named, or nobody.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

// For StartRequest::claim. busy, with the owner in words, while another one lives,
// unless the call says takeover. A dead owner is forgotten.
// Lifetime: of the call.
std::function<Result<void>(const std::string& id)> claim_for(const Call& call, std::shared_ptr<Store> store);

}  // namespace holdfast::inline v1
