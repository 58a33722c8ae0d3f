// Finds and removes members of an object that hold secrets, judged by their names. The
// layout decides which names are secret. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

using IsSecretKey = bool (*)(std::string_view key);

// The paths of the secret members, as keys from the outermost inward. Numbers, booleans
// and empty values are never secret, whatever their names.
std::vector<std::vector<std::string>> secret_members(JsonView object, IsSecretKey is_secret);

// "options.mcpServers.github.env"
std::string dotted(const std::vector<std::string>& path);

// The object without the members at `paths`; unchanged if there are none.
Result<std::string> without_members(std::string_view object, const std::vector<std::vector<std::string>>& paths);

}  // namespace holdfast::inline v1
