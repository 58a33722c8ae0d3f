// Base64 (RFC 4648, section 4). Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

std::string base64(std::string_view bytes);

// Returns nullopt unless `text` is exactly what base64() writes: padded, no whitespace, no stray bits at the end.
std::optional<std::string> from_base64(std::string_view text);

// How many bytes `text` encodes, judged by its length and its ends; 0 if it plainly is not padded base64.
std::uint64_t base64_size(std::string_view text);

}  // namespace holdfast::inline v1
