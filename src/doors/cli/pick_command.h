// `holdfast pick`: choose a session on a terminal.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// Draws on the terminal itself. Standard output gets the id (tab), or with `json` the session. Enter shows
// the session and returns, Ctrl-R becomes its agent, Ctrl-O asks for another agent and continues there. Exits
// with 1 if there is no session or none was chosen, 130 after Ctrl-C or a signal.
Result<int> run_pick(const PickSession& request, bool json, ColourChoice colour, bool pager);

}  // namespace holdfast::inline v1
