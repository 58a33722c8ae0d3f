// Text without the paths in it, for those who shall not learn how somebody's disk is arranged. A word with a slash or
// a drive in it is one, unless it is an address of the web or a number; so are words that are too long to be said
// (encoded bytes). Errs on the side of hiding. Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kMaskedPath = "[path]";
inline constexpr std::string_view kMaskedBytes = "[bytes]";

std::string without_paths(std::string_view text);
// The strings of a JSON value, keys too; what a key calls a path or a file goes whatever it looks like. Not JSON: "".
std::string json_without_paths(std::string_view json);

}  // namespace holdfast::inline v1
