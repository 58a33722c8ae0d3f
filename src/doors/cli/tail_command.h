// `holdfast tail ID`: the end of a session and, with --follow, each new message, in any store that is kept in files.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// With `json`, one message per line. Fails with cancelled if it is interrupted.
Result<int> run_tail(const TailSession& request, bool json, ColourChoice colour);

}  // namespace holdfast::inline v1
