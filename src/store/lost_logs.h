// Logs that Holdfast wrote and that somebody else took away, by the checksums that are left of them
// (docs/formats/checksums.md). What goes through Holdfast takes its checksums along.
#pragma once

#include <vector>

#include "layout/place.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// Only where nobody else may delete a session: in stores whose logs are Holdfast's own.
Result<std::vector<Place>> lost_logs(FileStore& engine);

}  // namespace holdfast::inline v1
