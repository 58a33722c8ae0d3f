// Runs a method with its parameters: the one entry through which doors call operations.
#pragma once

#include <holdfast/context.h>

#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/stores.h"

namespace holdfast::inline v1 {

// Largest request in bytes; above it, too_large. A message of the largest size fits.
inline constexpr std::size_t kMaxRequest = (std::size_t{64} << 20) + (std::size_t{64} << 10);

// Validates the parameters, runs the method, and returns one JSON object with
// "schema_version" on one line. `params` is the text of a JSON object; empty means {}.
// Throws nothing: a failed allocation becomes out_of_memory (decision 27).
// `items` receives the items of a stream; without it, streams cannot be run.
// With Secrets::masked, the answer, items and errors of every operation contain no secrets.
enum class Secrets { shown, masked };
Result<std::string> dispatch(const Context& context, Stores& stores, std::string_view method, std::string_view params,
                             const ItemSink& items = {}, Secrets secrets = Secrets::shown);

// Describes what a destructive call would do, in a sentence for people; changes nothing.
Result<std::string> preview(const Context& context, Stores& stores, const Operation& operation,
                            std::string_view params);

}  // namespace holdfast::inline v1
