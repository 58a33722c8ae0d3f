// session.search for a door that prints: each hit is told as it is found.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/call.h"
#include "api/stores.h"

namespace holdfast::inline v1 {

// One element of the answer's "hits". False: nobody reads on, and the search ends.
using TakeHitJson = std::function<bool(std::string_view hit)>;

// The answer of session.search; with `take` its "hits" are empty, they were told.
Result<std::string> search_words(const Call& call, const TakeHitJson& take);

// `params` are those of session.search. No exception leaves.
Result<std::string> search_streamed(const Context& context, Stores& stores, std::string_view params,
                                    const TakeHitJson& take);

}  // namespace holdfast::inline v1
