// A list of sessions as trees: what came of a session stands below it. Thread-safety: pure function.
#pragma once

#include <cstddef>
#include <vector>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

struct TreeRow {
  const SessionRow* row = nullptr;
  std::size_t depth = 0;  // 0: of a session whose parent is not in the list, or that has none
};

// Whether one session stands before another in a list.
using ComesFirst = bool (*)(const SessionRow*, const SessionRow*);

// The first `most` rows of the list of all stores: families in the order of their newest members, and in each what came
// of a session directly below it, the newest first. A parent is looked for in the store of the session. Parents that
// name each other in a circle do no harm.
std::vector<TreeRow> in_trees(const std::vector<SessionRows>& stores, std::size_t most, ComesFirst comes_first);

}  // namespace holdfast::inline v1
