// Removes paths from text for readers who must not learn how a disk is organized. A word with a slash or a drive
// letter is a path, unless it is a web address or a number. So are words in quotes that begin or end like one, with
// their spaces. Words too long for prose (encoded bytes) are masked, too. Prefers to hide too much.
// Thread-safety: pure functions. Safe on any bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

inline constexpr std::string_view kMaskedPath = "[path]";
inline constexpr std::string_view kMaskedBytes = "[bytes]";

// Known directories. A word is a path to its end if one of them is in it, however the name of the directory is
// written: with spaces, escaped or not, with slashes of either kind, doubled or not, and in either case.
using KnownPlaces = std::span<const std::string>;

std::string without_paths(std::string_view text, KnownPlaces places = {});
// Masks the strings of a JSON value, keys too; the value of a key that names a path or a file is always masked. Returns
// "" if `json` is not JSON.
std::string json_without_paths(std::string_view json, KnownPlaces places = {});

}  // namespace holdfast::inline v1
