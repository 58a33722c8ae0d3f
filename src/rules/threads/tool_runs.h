// The tool runs of a session (M18): begun, then finished once.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct ToolRun {
  std::string id;
  std::string tool;
  std::string status;  // Running, Succeeded, Failed, Canceled
};

// Begins a run, or, with a status, records one that is over. An id that is there
// already: nothing happens when the run is the same, already_exists else.
// An empty id is made. Only finished runs are in the record's toolRuns, which
// other programs read; the others wait in pendingToolRuns.
Result<ToolRun> add_tool_run(const Context& context, Store& store, std::string_view session, ToolRun run);
// Succeeded, Failed or Canceled, once: already_exists for another end, not_found for no such run.
Result<ToolRun> finish_tool_run(const Context& context, Store& store, std::string_view session, std::string_view run,
                                std::string_view status);
// In the order in which they ended, then those that have not.
Result<std::vector<ToolRun>> list_tool_runs(const Context& context, Store& store, std::string_view session);

// The state in a snapshot of either shape, in the words of the program:
// {"state":"CallingLlm"} and {"kind":"calling_llm"} are both "calling_llm".
// Empty when it says none.
std::string snapshot_state(JsonView snapshot);
// The calls that wait for their tool, in either shape.
std::size_t snapshot_pending(JsonView snapshot);

}  // namespace holdfast::inline v1
