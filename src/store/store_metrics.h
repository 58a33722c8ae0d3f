// The figures of a store as Prometheus reads them (M15).
#pragma once

#include <holdfast/store.h>

#include <cstdint>
#include <string>

namespace holdfast::inline v1 {

// Everything that processes with the same metrics_file have recorded, this one
// included, and how many items wait in the queue. Writes nothing into the store.
Result<std::string> store_metrics(Store& store, std::uint64_t queue_depth);

}  // namespace holdfast::inline v1
