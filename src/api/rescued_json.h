// What rescue saved, lost and made, in the words of every operation that repairs.
#pragma once

#include "layout/rescued.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// records, salvaged, repeated, linked, repaired[], headers, lost_rows, bytes and gone[] of an object that is begun.
void write_rescued(JsonWriter& json, const Rescued& rescued);

}  // namespace holdfast::inline v1
