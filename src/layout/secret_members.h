// Members of an object that hold secrets by their names, and the object without
// them. Which names those are is for the layout to say. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

using IsSecretKey = bool (*)(std::string_view key);

// Where they lie, as paths of keys, outermost first. Numbers, booleans and empty
// values are none, whatever they are called.
std::vector<std::vector<std::string>> secret_members(JsonView object, IsSecretKey is_secret);

// "options.mcpServers.github.env"
std::string dotted(const std::vector<std::string>& path);

// The object without them; the same bytes when there are none.
Result<std::string> without_members(std::string_view object, const std::vector<std::vector<std::string>>& paths);

}  // namespace holdfast::inline v1
