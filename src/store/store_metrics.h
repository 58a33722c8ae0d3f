// The figures of a store as Prometheus reads them (M15).
#pragma once

#include <holdfast/store.h>

#include <string>

namespace holdfast::inline v1 {

// Everything that processes with the same metrics_file have recorded, this one
// included, and the depth of the queue as it is now. Writes nothing into the store.
Result<std::string> store_metrics(const Context& context, Store& store);

}  // namespace holdfast::inline v1
