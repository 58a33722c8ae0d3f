// Names that are a plain file name on every file system, and the encoding of any
// text as such a name. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// [A-Za-z0-9][A-Za-z0-9._-]{0,127}, not ending in '.', without "..", and not a
// device name of Windows (CON, nul.txt, ...) in upper or lower case.
bool is_safe_name(std::string_view name);

// For names chosen by other programs: any UTF-8 of up to 255 bytes that is one
// file name and cannot mislead: no '/', '\\', "..", NUL or other control
// characters, no device name, not ending in '.' or ' '. "-srv-p" and "Plan ü" pass.
bool is_plain_name(std::string_view name);

// Returns a file name for any text, at most 255 bytes. Safe names stay as they are.
// Any other text becomes its percent-encoding (capitals too, in case the file system
// ignores case), '~' and 8 hex digits of its SHA-256; a text that is too long
// keeps a prefix of that and gets all 64 digits. Different texts get different
// names, on case-insensitive file systems too, except for two *safe* names that
// differ only in case.
std::string encode_name(std::string_view text);

// Checks a path for a Directory: relative, no empty, "." or ".." component, no NUL,
// components of at most 255 bytes, 4000 in all. Otherwise fails with unsafe_path.
Result<void> check_relative_path(std::string_view path);

inline constexpr std::size_t kMaxName = 255;
inline constexpr std::size_t kMaxRelativePath = 4000;

}  // namespace holdfast::inline v1
