// Removes paths from text for readers who must not learn how a disk is organized. A word with a slash or a drive
// letter is a path, unless it is a web address or a number. Words too long for prose (encoded bytes) are masked, too.
// Prefers to hide too much. Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kMaskedPath = "[path]";
inline constexpr std::string_view kMaskedBytes = "[bytes]";

std::string without_paths(std::string_view text);
// Masks the strings of a JSON value, keys too; the value of a key that names a path or a file is always masked. Returns
// "" if `json` is not JSON.
std::string json_without_paths(std::string_view json);

}  // namespace holdfast::inline v1
