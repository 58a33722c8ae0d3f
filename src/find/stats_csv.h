// Statistics as comma-separated values (RFC 4180), for spreadsheets.
#pragma once

#include <string>
#include <string_view>

#include "find/stats.h"

namespace holdfast::inline v1 {

// Returns a line of column names, then a line for each row; `by` is the name of the first column.
std::string stats_csv(std::string_view by, const Statistics& statistics);

}  // namespace holdfast::inline v1
