// Resolves the real directory behind a path. For doors, which pass real paths
// to the store, and to compare directories of projects that agents and people
// spell in their own way; otherwise the library never looks outside its roots.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Follows links and removes "." and "..". If the end of the path does not exist,
// resolves the part that does. Returns a relative path, or one that cannot be
// examined, unchanged.
std::string resolve_path(std::string_view path);

}  // namespace holdfast::inline v1
