// The words that remain of a session that ends (O09).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// What the person's summary command makes of the transcript. Nothing where there is no such command, the session has a
// summary, or its layout cannot hold one. A command that fails is a warning, and an extract takes its place.
Result<std::optional<std::string>> made_summary(const Call& call, Store& store, const std::string& id,
                                                std::vector<std::string>& warnings);

}  // namespace holdfast::inline v1
