// What a session adds to statistics and what it cost, as JSON for other machines (`counted` in docs/formats/sync.md).
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "find/prices.h"
#include "find/session_cost.h"
#include "find/stats.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// `rollup` is of the whole session, including what was counted for another session.
std::string write_counted(const Share& share, const Rollup& rollup);

// Accept any JSON; unreadable values count as nothing.
Share share_from_json(JsonView counted);
SessionCost cost_from_json(JsonView counted, const PriceTable& own);

// Returns the session of a row as statistics count it; `listed` is the row.
CountedSession counted_from_json(JsonView listed, bool inner, JsonView counted);

}  // namespace holdfast::inline v1
