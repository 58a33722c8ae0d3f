// Selects the rows that pass a filter, and sorts them. Thread-safety: a pure function.
#pragma once

#include <span>
#include <vector>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

// Returns row numbers, newest first; rows of the same time are ordered by id.
std::vector<std::size_t> select_rows(std::span<const SessionRow> rows, const SessionFilter& filter);

}  // namespace holdfast::inline v1
