// One line of a text that matches. Thread-safety: pure function.
#pragma once

#include <string_view>

#include "find/search.h"

namespace holdfast::inline v1 {

// One line around the first match, and where the matches are in it.
void cut_snippet(const Matcher& matcher, std::string_view text, SearchHit& hit);

}  // namespace holdfast::inline v1
