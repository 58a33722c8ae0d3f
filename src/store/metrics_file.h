// Where the figures of many processes meet: a file of JSON lines, one book a
// line, which are added up by whoever reads. Derived data: it is not synced, and
// deleting it only starts the counting anew.
// Thread-safety: any thread, any process.
#pragma once

#include <holdfast/file_system.h>

#include <string>
#include <string_view>

#include "store/metrics_book.h"

namespace holdfast::inline v1 {

// Adds a line; above 64 KiB all lines become one. Fails without harm: nothing was added.
Result<void> add_to_metrics_file(FileSystem& file_system, std::string_view path, const MetricsBook& book);

// The sum of all lines that can be read; empty when there is no such file.
MetricsBook read_metrics_file(FileSystem& file_system, std::string_view path);

}  // namespace holdfast::inline v1
