// The results of a rescue as JSON, the same for every operation that repairs.
#pragma once

#include "layout/rescued.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Adds records, salvaged, repeated, linked, repaired[], headers, lost_rows, bytes and gone[] to an open object.
void write_rescued(JsonWriter& json, const Rescued& rescued);

}  // namespace holdfast::inline v1
