// How well a row fits what somebody typed. Thread-safety: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Every word of `query` must be in `text` as a subsequence, upper and lower case alike
// for ASCII. Higher is better: letters that follow each other and beginnings of words count more.
// nullopt: it does not fit. An empty query fits everything with 0.
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace holdfast::inline v1
