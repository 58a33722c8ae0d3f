// Names that are one plain file name on every file system we may meet, and a
// way to turn any text into one. Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// [A-Za-z0-9][A-Za-z0-9._-]{0,127}, not ending in '.', without "..", and no
// device name of Windows (CON, nul.txt, ...), in any case.
bool is_safe_name(std::string_view name);

// For names that other programs gave: any UTF-8 of up to 255 bytes that is one
// file name and cannot mislead: no '/', '\\', "..", NUL or other control
// characters, no device name, not ending in '.' or ' '. "-srv-p" and "Plan ü" pass.
bool is_plain_name(std::string_view name);

// A file name for any text, at most 255 bytes. Safe names stay as they are.
// Everything else becomes its percent-encoding (capitals too, so that folding
// case cannot join two of them), '~' and 8 hex digits of its SHA-256; a text too
// long for that keeps a prefix and gets all 64 digits. Different texts get
// different names, on case-insensitive file systems too, save for two *safe*
// names that differ in case only.
std::string encode_name(std::string_view text);

// A path that may be given to a Directory: relative, no empty, "." or ".."
// component, no NUL, components up to 255 bytes, 4000 in all. Else unsafe_path.
Result<void> check_relative_path(std::string_view path);

inline constexpr std::size_t kMaxName = 255;
inline constexpr std::size_t kMaxRelativePath = 4000;

}  // namespace holdfast::inline v1
