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

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/json_value.h"

namespace holdfast::inline v1 {

struct RescuedRecord {
  std::string bytes;         // one JSON object
  bool behind_loss = false;  // bytes between the record before and this one are lost
  bool made_text = false;    // a result that was made plain text
};

// How the records of an agent's log name themselves and what they follow; empty: they do not.
struct RecordChain {
  std::string_view id = {}, parent = {};
};

struct ToolRepairs {
  std::uint64_t results_made = 0;
  std::uint64_t calls_made = 0;
  std::uint64_t results_as_text = 0;
};

// Whether the record belongs to a conversation of a sub-agent that Claude Code kept in the same log.
bool is_aside(JsonView record);

Result<ToolRepairs> pair_tools(std::vector<RescuedRecord>& records, const RecordChain& chain);

}  // namespace holdfast::inline v1
