#include "model/record.h"

#include "text/json_object.h"

namespace holdfast::inline v1::record_members {

std::string as_object(const Changed& members) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, value] : members) json.key(name).raw(value);
  return json.end_object().take();
}

std::string spliced(const std::string& record, const Changed& members) {
  if (members.empty()) return record;
  auto object = JsonObject::read(record.empty() ? "{}" : record);
  if (!object) return as_object(members);
  // Setting a whole value in a whole object does not fail.
  for (const auto& [name, value] : members) (void)object->set(name, value);
  return object->text();
}

}  // namespace holdfast::inline v1::record_members
