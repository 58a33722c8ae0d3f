// `holdfast tail ID`: the end of a session and, with --follow, what is said from
// now on, in any store that is kept in files.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// With `json` a message a line. Ends with `cancelled` when it is interrupted.
Result<int> run_tail(const TailSession& request, bool json, ColourChoice colour);

}  // namespace holdfast::inline v1
