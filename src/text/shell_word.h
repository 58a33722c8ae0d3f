// Text as one word of a shell command line. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Returns the text as it is if every shell reads it that way, otherwise in single quotes.
std::string shell_word(std::string_view text);

// The name of a session in a command that people paste: LAYOUT/ID. A bare id may also be that of another agent's
// session, for example of an imported copy, and the command would act on that one.
std::string session_word(std::string_view layout, std::string_view id);

}  // namespace holdfast::inline v1
