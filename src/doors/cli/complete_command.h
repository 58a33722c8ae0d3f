// `holdfast complete` and `holdfast man`.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// Never an error: a shell that completes must not be disturbed.
Result<int> run_complete(const CompleteLine& line);
// On a terminal with man(1) when it is there, else the page as it is written.
Result<int> run_manual(const ShowManual& request);

}  // namespace holdfast::inline v1
