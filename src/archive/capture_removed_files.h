// Captures what was written to files of a store before they were removed. Thread-safety: as the writer's.
#pragma once

#include "archive/capture_store.h"
#include "archive/store_watch.h"

namespace holdfast::inline v1 {

// Captures removed files of known sessions from the open files that `watch` holds.
Result<void> capture_removed_files(const Context& context, const FileStore& store, const StoreWatch& watch,
                                   ArchiveWriter& writer, const ArchiveRules& rules, CaptureReport& report);

}  // namespace holdfast::inline v1
