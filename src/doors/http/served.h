// Which operations this door serves. Whoever speaks here may be a page that got hold of a browser, so it gets what
// looks at sessions of the stores that there are, and nothing that opens a path of its choice, writes a file or runs a
// program. Thread-safety: constant data.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/stores.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The operation, if it is served. Errors: invalid_argument, there is none of that name; permission_denied.
Result<const Operation*> served_operation(std::string_view method, bool write);

// Their names, as a JSON array.
std::string served_methods(bool write);

// What `hello` lists here as features, as JSON: events, leases and batches need a connection of one's own.
inline constexpr std::string_view kServedFeatures = R"(["streams"])";

// permission_denied when a parameter names a store that is not among those of this machine, or a path that would be
// opened. `params` is valid JSON.
Result<void> check_reach(const Operation& operation, const Stores& stores, JsonView params);

}  // namespace holdfast::inline v1
