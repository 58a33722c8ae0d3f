// Combines the metrics of many processes: a file of JSON lines, one book per
// line, which readers add up. Derived data: the file is not synced, and deleting
// it only restarts the counts.
// Thread-safety: any thread, any process.
#pragma once

#include <holdfast/file_system.h>

#include <string>
#include <string_view>

#include "store/metrics_book.h"

namespace holdfast::inline v1 {

// Appends a line; if the file exceeds 64 KiB, merges all lines into one. If it fails, nothing was added.
Result<void> add_to_metrics_file(FileSystem& file_system, std::string_view path, const MetricsBook& book);

// The sum of all readable lines; empty if there is no such file.
MetricsBook read_metrics_file(FileSystem& file_system, std::string_view path);

}  // namespace holdfast::inline v1
