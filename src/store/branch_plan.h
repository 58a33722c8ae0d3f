// Which messages of a session are on a branch, found out without keeping any of
// them: one cheap reading of the session, by several threads where its layout
// allows it (layout/read_in_parts.h).
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
  std::vector<bool> kept = {};              // by the message's number
  std::vector<std::uint64_t> offsets = {};  // of their records, the same
  BranchMap::ToolUses tools = {};           // of the kept ones
  std::uint64_t bytes = 0;                  // of the log, looked at; a record behind them is new
  SessionFacts facts = {};                  // what the log says of the session
};

// `branch` as TranscriptQuery has it. A record that is not JSON, but looks like a
// line of it, is taken for one here: who reads on compares what it meets with the
// map. nullopt: it takes the texts to tell (two messages have one id).
Result<std::optional<BranchPlan>> plan_branch(const Context& context, FileStore& store, const SessionRef& ref,
                                              const TranscriptQuery& query);

}  // namespace holdfast::inline v1
