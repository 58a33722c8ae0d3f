// Suggestions for misspelled names. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace holdfast::inline v1 {

// The choice nearest to `typed` by insertions, deletions, replacements and swaps
// of neighbors; nullopt if that takes edits of more than a third of the letters.
std::optional<std::string_view> nearest(std::string_view typed, std::span<const std::string_view> choices);

}  // namespace holdfast::inline v1
