// Asks for a secret on the terminal. One thread.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// Shows `what` as the prompt and returns the line that is typed, which is not shown. Fails with cancelled if the
// person interrupts it, and with unsupported if there is no terminal.
Result<std::string> ask_secret(std::string_view what);

}  // namespace holdfast::inline v1
