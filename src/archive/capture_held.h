// What was written to files of a store before they were removed. Thread-safety: as the writer's.
#pragma once

#include "archive/capture_store.h"
#include "archive/store_watch.h"

namespace holdfast::inline v1 {

// Captures files of known sessions that are gone, from what `watch` holds of them.
Result<void> capture_held(const Context& context, const FileStore& store, const StoreWatch& watch,
                          ArchiveWriter& writer, const ArchiveRules& rules, CaptureReport& report);

}  // namespace holdfast::inline v1
