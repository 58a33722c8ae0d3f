// Long output on a terminal goes through a pager, as in git; anything else is
// written as it is.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::inline v1 {

// $HOLDFAST_PAGER, else $PAGER, else less; empty: none is wanted (empty or "cat").
std::string pager_command();

// Writes to standard output: through the pager when that is a terminal, `wanted`, and
// the text is longer than its screen. False: it could not be written.
bool print_paged(std::string_view text, bool wanted);

// Pipes the text into a shell command that shows it; false when the command could not be started
// or failed without being ended by its user.
bool print_through(const std::string& command, std::string_view text);

// Lines that the text takes on a screen of that width; sequences that colour take no place.
std::size_t screen_lines(std::string_view text, std::size_t columns);

}  // namespace holdfast::inline v1
