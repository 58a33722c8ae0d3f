// Text as one word of a shell command line. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the text as it is if every shell reads it that way, otherwise in single quotes.
std::string shell_word(std::string_view text);

}  // namespace holdfast::inline v1
