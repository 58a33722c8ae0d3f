// Finds out which messages of a session are on a branch without keeping any of
// them: one cheap pass over the session, by several threads if its layout
// allows it (layout/partial_reader.h).
#pragma once

#include <holdfast/context.h>
#include <holdfast/session.h>

#include <optional>
#include <string_view>
#include <vector>

#include "layout/layout.h"
#include "store/branch_map.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

struct BranchPlan {
  BranchMap map = {};
  std::vector<bool> kept = {};              // indexed by the message's number
  std::vector<std::uint64_t> offsets = {};  // of the messages' records, likewise
  BranchMap::ToolUses tools = {};           // tool uses of the kept messages
  std::uint64_t bytes = 0;                  // size of the log that was read; records after it are new
  SessionFacts facts = {};                  // what the log says about the session
};

// `branch` as in TranscriptQuery. A record that is not JSON but looks like a line of it
// counts as one here, so the full read must compare each message with the map. nullopt if the
// answer depends on texts (two messages have one id), or if the branch is not in the map.
Result<std::optional<BranchPlan>> plan_branch(const Context& context, FileStore& store, const SessionRef& ref,
                                              const TranscriptQuery& query);

}  // namespace holdfast::inline v1
