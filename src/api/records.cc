#include "api/records.h"

#include <algorithm>

#include "api/typed_records.h"
#include "store/engine.h"

namespace holdfast::inline v1 {

std::string answer_record(std::string_view name, std::string_view record) {
  return begin_answer().key(name).raw(record).end_object().take();
}

std::vector<Finding> repair_findings(Store& store) {
  const auto engine = engine_of(store);
  return engine ? (*engine)->opening_findings() : std::vector<Finding>();
}

std::string answer_record(std::string_view name, std::string_view record, Store& store) {
  JsonWriter json = begin_answer();
  json.key(name).raw(record);
  write_findings(json, "findings", repair_findings(store));
  return json.end_object().take();
}

std::string answer_page(const Call& call, std::string_view name, std::size_t total,
                        const std::function<std::string(std::size_t)>& record, const std::vector<Finding>& findings) {
  const Page page = page_of(call);
  const std::size_t from = std::min(page.skip, total);
  const std::size_t count = std::min(page.limit, total - from);
  JsonWriter json = begin_answer();
  json.key(name).begin_array();
  for (std::size_t i = from; i < from + count; ++i) json.raw(record(i));
  json.end_array();
  write_page(json, page, count, total);
  write_findings(json, "findings", findings);
  return json.end_object().take();
}

std::string answer_records(const Call& call, std::string_view name, const RecordList& all) {
  return answer_page(call, name, all.records.size(), [&](std::size_t i) { return all.records[i]; }, all.findings);
}

std::string answer_deleted(std::string_view id) {
  return begin_answer().key("id").string(id).key("deleted").boolean(true).end_object().take();
}

Parameter project_parameter(bool required) {
  return {.name = "project", .help = "directory of the project", .required = required, .path = true};
}

Parameter record_id_parameter(std::string_view help) {
  return {.name = "id", .help = help, .required = true, .positional = true};
}

}  // namespace holdfast::inline v1
