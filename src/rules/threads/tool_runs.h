// The tool runs of a session (M18): started, then finished once.
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

// Starts a run or, with a status, records a finished one. If the id exists, does
// nothing for an equal run and fails with already_exists otherwise. An empty id is
// generated. Only finished runs are in the record's toolRuns, which other programs
// read; the others are in pendingToolRuns.
Result<ToolRun> add_tool_run(const Context& context, Store& store, std::string_view session, ToolRun run);
// Sets Succeeded, Failed or Canceled, once: already_exists for a different end, not_found if there is no such run.
Result<ToolRun> finish_tool_run(const Context& context, Store& store, std::string_view session, std::string_view run,
                                std::string_view status);
// Finished runs in the order in which they ended, then the others.
Result<std::vector<ToolRun>> list_tool_runs(const Context& context, Store& store, std::string_view session);

// Returns the state in a snapshot of either shape, in the program's words:
// {"state":"CallingLlm"} and {"kind":"calling_llm"} are both "calling_llm". Empty if
// there is none.
std::string snapshot_state(JsonView snapshot);
// Returns the number of calls waiting for their tool, in either shape.
std::size_t snapshot_pending(JsonView snapshot);

}  // namespace holdfast::inline v1
