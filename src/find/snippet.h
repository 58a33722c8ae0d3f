// One line of a matching text. Thread-safety: pure function.
#pragma once

#include <string_view>

#include "find/search.h"

namespace holdfast::inline v1 {

// Sets the snippet of `hit` to one line around the first match, and its spans to the matches in that line.
void cut_snippet(const Matcher& matcher, std::string_view text, SearchHit& hit);

}  // namespace holdfast::inline v1
