#include "transfer/record_label.h"

#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

std::string word(JsonView json) { return json.as_string().value_or(""); }

// The subtype: agents write it beside the type, or inside the member named after the type.
std::string detail(JsonView record, const std::string& type) {
  for (const std::string_view name : {"subtype", "customType"}) {
    if (std::string found = word(record.find(name)); !found.empty()) return found;
  }
  for (const std::string_view name : {std::string_view(type), std::string_view("payload")}) {
    if (std::string found = word(record.find(name).find("type")); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string record_label(std::string_view json) {
  const JsonView record(json);
  std::string type = word(record.find("type"));
  if (type.empty()) return "record";
  const std::string more = detail(record, type);
  return more.empty() ? type : type + ": " + more;
}

}  // namespace holdfast::inline v1
