// Text as one word of a shell's command line. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// As it is where every shell reads it so, otherwise in single quotes.
std::string shell_word(std::string_view text);

}  // namespace holdfast::inline v1
