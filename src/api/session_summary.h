// The summary of a session that ends (O09).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// Runs the person's summary command on the transcript. Returns nullopt if there is no such command, the session has a
// summary, or its layout cannot hold one. If the command fails, adds a warning and returns an extract.
Result<std::optional<std::string>> make_summary(const Call& call, Store& store, const std::string& id,
                                                std::vector<std::string>& warnings);

}  // namespace holdfast::inline v1
