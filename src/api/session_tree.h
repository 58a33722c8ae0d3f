// A list of sessions as trees: children of a session follow it. Thread-safety: pure function.
#pragma once

#include <cstddef>
#include <vector>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

struct TreeRow {
  const SessionRow* row = nullptr;
  std::size_t depth = 0;  // 0 if the session has no parent, or its parent is not in the list
};

// Whether one session comes before another in a list.
using RowComparator = bool (*)(const SessionRow*, const SessionRow*);

// Returns the first `most` rows of the list of all stores: families in the order of their newest members, and in each
// the children directly below their parent, the newest first. Looks for a parent only in the store of the session.
// Tolerates cycles of parents.
std::vector<TreeRow> order_as_trees(const std::vector<SessionRows>& stores, std::size_t most,
                                    RowComparator comes_first);

}  // namespace holdfast::inline v1
