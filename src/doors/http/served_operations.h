// The operations that this door serves. The caller may be a hostile page in a browser, so it may only look at
// sessions of the configured stores, and do nothing that opens a path of its choice, writes a file or runs a
// program. Thread-safety: constant data.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/stores.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// The operation, if it is served. Fails with invalid_argument if there is none of that name, or permission_denied.
Result<const Operation*> served_operation(std::string_view method, bool write);

// Their names, as a JSON array.
std::string served_methods(bool write);

// The features that `hello` lists here, as JSON: events, leases and batches need a dedicated connection.
inline constexpr std::string_view kServedFeatures = R"(["streams"])";

// Fails with permission_denied if a parameter names a store that is not one of this machine's, or a path that
// would be opened. `params` must be valid JSON.
Result<void> check_reach(const Operation& operation, const Stores& stores, JsonView params);

}  // namespace holdfast::inline v1
