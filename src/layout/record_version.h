// Records of older versions (M03): upgraded by the shape's migrations when they are
// read, and written back when they are next saved.
// Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/record_shape.h"

namespace holdfast::inline v1 {

// Returns the record in the shape's version; unchanged if it already has that version.
// Fields that no migration names stay. Fails with schema_version_mismatch, naming the
// required version, if no migrations lead to it.
Result<std::string> upgrade_record(const RecordShape& shape, std::string_view bytes);

}  // namespace holdfast::inline v1
