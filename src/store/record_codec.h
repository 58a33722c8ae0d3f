// Converts records beside the sessions between their file and the model, by the
// table of a layout (layout/record_shape.h). Thread-safety: pure functions.
#pragma once

#include <holdfast/error.h>

#include <string>
#include <string_view>

#include "layout/record_shape.h"
#include "text/json_object.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// Returns the model's JSON object: "id" first, then the fields under their model
// names, times as ISO, unknown fields as written. Fails with corrupt if the file
// does not have the form of its shape.
Result<std::string> read_record(const RecordShape& shape, std::string_view id, std::string_view bytes);

// Returns the bytes of a new record. invalid_argument names a required field
// that is missing or a value of the wrong kind; fields that the table does not
// know are kept under their own names.
Result<std::string> format_record(const RecordShape& shape, std::string_view id, JsonView fields);

// Returns `bytes` with the given fields set (null: removed, or set to null if
// the table's fallback is null); every other byte stays.
Result<std::string> patch_record(const RecordShape& shape, std::string_view bytes, JsonView fields);
// The same for a parsed JSON record in the version of its table. After an error it may be partly patched.
Result<void> patch_object(const RecordShape& shape, JsonObject& record, JsonView fields);

// A time of the record as written, with all its digits; empty if there is none.
std::string written_time(const RecordShape& shape, std::string_view bytes, std::string_view name);

// The path of a record, with {project} and {id} filled in.
std::string record_path(const RecordShape& shape, std::string_view project_key, std::string_view id);
// The id in a file name of that kind; empty if it is no such file.
std::string record_id(const RecordShape& shape, std::string_view file_name);
// The directory that holds all records of the kind.
std::string record_folder(const RecordShape& shape, std::string_view project_key);

}  // namespace holdfast::inline v1
