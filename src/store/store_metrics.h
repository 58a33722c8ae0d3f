// The metrics of a store in the format of Prometheus (M15).
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

// Everything that processes with the same metrics_file have recorded, including
// this one, and the number of items in the queue. Writes nothing into the store.
Result<std::string> store_metrics(Store& store, std::uint64_t queue_depth);

}  // namespace holdfast::inline v1
