// Records of older versions (M03): upgraded by the shape's registry of
// migrations when they are read, written back when they are next saved.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/record_shape.h"

namespace holdfast::inline v1 {

// The record in the shape's version; the same bytes when it has it. What a
// migration does not name stays. schema_version_mismatch, naming the version
// that is required, when no migrations lead from the record's version to it.
Result<std::string> upgrade_record(const RecordShape& shape, std::string_view bytes);

}  // namespace holdfast::inline v1
