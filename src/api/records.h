// Answers of the nouns whose things are records of a store.
#pragma once

#include <holdfast/store.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "store/record_text.h"

namespace holdfast::inline v1 {

// {"schema_version":1, name: record}
std::string answer_record(std::string_view name, std::string_view record);
// The same with what the store set aside or shows from a backup since it was opened: "findings".
std::string answer_record(std::string_view name, std::string_view record, Store& store);
std::vector<StoreFinding> mended_in(Store& store);
// A page of them under `name`, with total, next and findings; `kRecordList` in the shape notation.
std::string answer_records(const Call& call, std::string_view name, std::size_t total,
                           const std::function<std::string(std::size_t)>& record,
                           const std::vector<StoreFinding>& findings);
inline std::string answer_records(const Call& call, std::string_view name, const RecordList& all) {
  return answer_records(call, name, all.records.size(), [&](std::size_t i) { return all.records[i]; }, all.findings);
}
template <typename T>
std::string answer_records(const Call& call, std::string_view name, const Listed<T>& all) {
  return answer_records(
      call, name, all.records.size(), [&](std::size_t i) { return json_of(all.records[i]); }, all.findings);
}
// {"schema_version":1, "id": id, "deleted": true}
std::string answer_deleted(std::string_view id);

Parameter project_parameter(bool required);
Parameter record_id_parameter(std::string_view help);

}  // namespace holdfast::inline v1
