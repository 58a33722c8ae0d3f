// From a method and its parameters to an answer: the edge between doors and house.
#pragma once

#include <holdfast/context.h>

#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/stores.h"

namespace holdfast::inline v1 {

// Bytes of a request; more is too_large. A message of the largest size fits.
inline constexpr std::size_t kMaxRequest = (std::size_t{64} << 20) + (std::size_t{64} << 10);

// Validates, runs, and answers one JSON object with "schema_version" on one
// line. `params` is the text of a JSON object; empty stands for {}. No exception
// leaves: a failed allocation is out_of_memory (decision 27).
// `items` takes those of a stream, which a door without it cannot run.
// With Secrets::masked nothing that leaves has one: answer, items and errors, whatever the operation.
enum class Secrets { shown, masked };
Result<std::string> dispatch(const Context& context, Stores& stores, std::string_view method, std::string_view params,
                             const TakeItem& items = {}, Secrets secrets = Secrets::shown);

// What a destructive call would do, in a sentence for people; changes nothing.
Result<std::string> preview(const Context& context, Stores& stores, const Operation& operation,
                            std::string_view params);

}  // namespace holdfast::inline v1
