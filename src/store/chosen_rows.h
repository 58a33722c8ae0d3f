// Which rows pass a filter, and in which order. Thread-safety: a pure function.
#pragma once

#include <span>
#include <vector>

#include "store/session_rows.h"

namespace holdfast::inline v1 {

// Their numbers, newest first; of the same moment, by id.
std::vector<std::size_t> chosen_rows(std::span<const SessionRow> rows, const SessionFilter& filter);

}  // namespace holdfast::inline v1
