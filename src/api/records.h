// Answers of operations on records of a store.
#pragma once

#include <holdfast/store.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace holdfast::inline v1 {

// {"schema_version":1, name: record}
std::string answer_record(std::string_view name, std::string_view record);
// The same with "findings": what the store has set aside or loaded from a backup since it was opened.
std::string answer_record(std::string_view name, std::string_view record, Store& store);
std::vector<Finding> repair_findings(Store& store);
// A page of records under `name`, with total, next and findings; `kRecordList` in the shape notation.
std::string answer_records(const Call& call, std::string_view name, const RecordList& all);
// {"schema_version":1, "id": id, "deleted": true}
std::string answer_deleted(std::string_view id);

Parameter project_parameter(bool required);
Parameter record_id_parameter(std::string_view help);

}  // namespace holdfast::inline v1
