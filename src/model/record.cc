#include "model/record.h"

#include "text/json_object.h"

namespace holdfast::inline v1 {

std::string spliced(const std::string& source, std::string changes) {
  if (changes == "{}" && !source.empty()) return source;
  auto object = JsonObject::read(source);
  if (!object) return changes;
  // Setting a valid value in a valid object does not fail.
  for (const JsonItem& item : JsonView(changes).fields()) (void)object->set(item.key(), item.value.raw());
  return object->text();
}

}  // namespace holdfast::inline v1
