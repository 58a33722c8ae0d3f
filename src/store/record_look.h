// Finding and reading records by a layout's table (layout/record_shape.h): the
// half of the record engine that only looks. Thread-safety: as the Feed.
#pragma once

#include <holdfast/store.h>

#include "layout/layout.h"
#include "layout/record_shape.h"

namespace holdfast::inline v1 {

// unsupported when the layout cannot hold the kind.
Result<const RecordShape*> shape_of_kind(const Layout& layout, std::string_view kind);

// Whether a record of this layout may have the id: its own names are strict,
// those of other programs only have to be harmless.
bool is_record_id(const Layout& layout, const RecordShape& shape, std::string_view id);

// Where the record lies, or would be made. unsafe_path names an impossible id,
// invalid_argument a missing project.
Result<Place> place_of_record(const Layout& layout, Feed& feed, const RecordShape& shape, const RecordKey& key);

// All records that `key` names, by id: one of them, those of a project, or with
// neither id nor project those of every project. One that is bad is a finding.
// Secrets are as they are: who shows them to people masks them.
Result<RecordList> look_for_records(const Context& context, const Layout& layout, Feed& feed, const RecordKey& key);

// ok when the list holds the one record that was asked for; else not_found, or
// corrupt or schema_version_mismatch with the file's path.
Result<void> usable_record(const RecordList& list, std::string_view kind, std::string_view id);

// The keys of all projects that have a folder, whatever is in it.
Result<std::vector<std::string>> project_keys(const Layout& layout, Feed& feed);

// The folder of one project, out of the table's row for "project".
Result<Place> project_folder_of(const Layout& layout, std::string_view project_key);

// `record` with "***" for every value but the id and numbers of versions.
std::string masked_record(std::string_view record);

}  // namespace holdfast::inline v1
