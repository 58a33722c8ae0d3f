// Reunites calls and results of tools that damage has separated, so that the
// agent can send the conversation to its model: most models reject a call without a
// result and a result without a call. Only what damage destroyed is made up:
//   - a call whose result is lost, with lost bytes after the call and more of the
//     conversation after those, gets a result that says so;
//   - a result whose call is lost, after lost bytes, gets a call of its name
//     without arguments; without a name it becomes plain text that says so.
// A call that nothing follows was in flight when its agent ended: it stays.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string_view>
#include <vector>

#include "layout/rescued.h"
#include "layout/tool_dialect.h"

namespace holdfast::inline v1 {

// The keys of a record's id and of the record it follows; empty if there are none.
struct RecordChain {
  std::string_view id = {}, parent = {};
};

// The dialects of all layouts.
std::vector<const ToolDialect*> tool_dialects();

// The dialect that the records speak; nullptr if they name no tools.
const ToolDialect* dialect_of(const std::vector<RescuedRecord>& records);

Result<ToolRepairs> pair_tools(std::vector<RescuedRecord>& records, const RecordChain& chain);

}  // namespace holdfast::inline v1
