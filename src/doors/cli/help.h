// Help, made from the table of commands. Thread-safety: pure functions.
#pragma once

#include <string>

#include "doors/cli/commands.h"

namespace holdfast::inline v1 {

std::string spelling(const Option& option);      // "-n, --count N"
std::string usage_line(const Command& command);  // "holdfast demo [--seconds N]"

std::string help_text();                        // all commands
std::string help_text(const Command& command);  // one of them
std::string help_text(std::string_view topic);  // "", a command, a noun, or "NOUN VERB"; must exist
std::string help_markdown();                    // docs/cli.md, word for word

}  // namespace holdfast::inline v1
