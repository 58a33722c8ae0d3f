// What directory a path really means. For doors, which hand real paths to the
// store; the library itself never looks outside its roots.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Links followed, "." and ".." taken out. Of a path whose end does not exist the
// part that does is resolved; a relative path or one that cannot be looked at
// comes back as it is.
std::string resolve_path(std::string_view path);

}  // namespace holdfast::inline v1
