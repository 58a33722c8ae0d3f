// call, init and the noun commands: run one operation, then the process ends.
#pragma once

#include <holdfast/error.h>

#include "doors/cli/args.h"

namespace holdfast::inline v1 {

// Prints the answer as one JSON document.
Result<int> run_call(const CallMethod& call);
// Shows what is on this machine; with `json` the answer of store.list.
Result<int> run_overview(bool json, ColourChoice colour);
Result<int> run_init(const InitStore& init, bool json, ColourChoice colour);
// Before something is destroyed, asks on a terminal; elsewhere requires --yes.
struct OutputOptions {
  bool json = false;
  bool pager = false;
  ColourChoice colour = ColourChoice::automatic;
  std::vector<std::string> stores = {};  // the named stores, if there are several
  std::vector<std::string> ids = {};     // of sessions: see RenderStyle
};
Result<int> run_operation(const RunOperation& run, const OutputOptions& request);

}  // namespace holdfast::inline v1
