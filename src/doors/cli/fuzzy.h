// Scores how well a row matches what somebody typed. Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Every word of `query` must be in `text` as a subsequence, ignoring case for ASCII. Higher is
// better: consecutive letters and beginnings of words count more. nullopt if it does not match.
// An empty query matches everything with 0.
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace holdfast::inline v1
