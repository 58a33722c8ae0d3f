// Decides who owns a session once a call begins to work on it (decision 14): a
// door that stays open, the process that a script named, or nobody.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/call.h"

namespace holdfast::inline v1 {

// For StartRequest::claim. Fails with busy, naming the owner, while another owner
// lives, unless the call has takeover. A dead owner is ignored.
// Lifetime: must not outlive the call.
std::function<Result<void>(const std::string& id)> claim_for(const Call& call, std::shared_ptr<Store> store);

}  // namespace holdfast::inline v1
