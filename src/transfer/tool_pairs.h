// Calls and results of tools that damage has parted, paired again, so that the
// agent can send the conversation to its model: most refuse a call without a
// result and a result without a call. Invented is only what damage took:
//   - a call whose result is gone, with lost bytes behind the call and more of
//     the conversation behind those, gets a result that says so;
//   - a result whose call is gone, behind lost bytes, gets a call of its name
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

// How the records of an agent's log name themselves and what they follow; empty: they do not.
struct RecordChain {
  std::string_view id = {}, parent = {};
};

// The dialects of all layouts.
std::vector<const ToolDialect*> tool_dialects();

Result<ToolRepairs> pair_tools(std::vector<RescuedRecord>& records, const RecordChain& chain);

}  // namespace holdfast::inline v1
