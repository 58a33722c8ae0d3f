// `holdfast pick`: choose a session on a terminal.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// Draws on the terminal itself; only what was asked for goes to standard output: the session
// (enter), or the command with which its agent goes on with it (r). Exit code 1: there is no session, or
// none was chosen; 130: Ctrl-C or a signal.
Result<int> run_pick(const PickSession& request, ColourChoice colour, bool pager);

}  // namespace holdfast::inline v1
