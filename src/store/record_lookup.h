// Finds and reads records by a layout's table (layout/record_shape.h): the
// read-only half of the record engine. Thread-safety: that of the Feed.
#pragma once

#include <holdfast/store.h>

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

// Fails with unsupported if the layout has no such kind.
Result<const RecordShape*> shape_of_kind(const Layout& layout, std::string_view kind);

// True if a record of this layout may have the id: our own names are strict,
// those of other programs only have to be harmless.
bool is_record_id(const Layout& layout, const RecordShape& shape, std::string_view id);

// Where the record is, or would be created. Fails with unsafe_path for an
// impossible id, with invalid_argument for a missing project.
Result<Place> place_of_record(const Layout& layout, Feed& feed, const RecordShape& shape, const RecordKey& key);

// Returns all records that `key` names, by id: one record, those of a project, or
// with neither id nor project those of every project. A bad record becomes a finding.
// Secrets are not masked: callers that show records to people must mask them.
Result<RecordList> find_records(const Context& context, const Layout& layout, Feed& feed, const RecordKey& key);

// Succeeds if the list contains the one requested record. Otherwise fails with
// not_found, or with corrupt or schema_version_mismatch and the file's path.
Result<void> check_single_record(const RecordList& list, std::string_view kind, std::string_view id);

// The keys of all projects that have a folder, whatever is in it.
Result<std::vector<std::string>> project_keys(const Layout& layout, Feed& feed);

// The folder of one project, from the table's row for "project".
Result<Place> project_folder_of(const Layout& layout, std::string_view project_key);

// `record` with every value except the id and version numbers replaced by "***".
std::string masked_record(std::string_view record);

}  // namespace holdfast::inline v1
