// Finds logs that Holdfast wrote and somebody else removed, by the checksums that they leave behind
// (docs/formats/checksums.md). Removing a log through Holdfast removes its checksums too.
#pragma once

#include <vector>

#include "layout/place.h"
#include "store/file_store.h"

namespace holdfast::inline v1 {

// Only for stores whose logs are Holdfast's own, where nobody else may delete a session.
Result<std::vector<Place>> lost_logs(FileStore& engine);

}  // namespace holdfast::inline v1
