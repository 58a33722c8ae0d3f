// `holdfast complete` and `holdfast man`.
#pragma once

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// Never fails: completion must not disturb a shell.
Result<int> run_complete(const CompleteLine& line);
// On a terminal, uses man(1) if it exists; otherwise prints the source of the page.
Result<int> run_manual(const ShowManual& request);

}  // namespace holdfast::inline v1
