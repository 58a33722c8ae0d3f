// What an agent adds to a message by itself, as elements around what a person typed or a tool answered: reminders, the
// selection and the open file of an editor, its environment. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Leaves these elements out, with the space around them. What follows one that is not closed is left out, too: it was
// cut, and its end cannot be known.
std::string without_added_text(std::string_view text);

}  // namespace holdfast::inline v1
