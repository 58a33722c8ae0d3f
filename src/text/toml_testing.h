// For tests of TOML, where keys have no order.
#pragma once

#include <map>
#include <string>

#include "text/json_value.h"
#include "text/json_write.h"

namespace holdfast::inline v1 {

// Returns the value in compact form with the keys of every object sorted.
inline std::string sorted_json(JsonView value) {
  JsonWriter out;
  if (value.kind() == JsonKind::object) {
    std::map<std::string, std::string> fields;
    for (const JsonItem& item : value.fields()) fields[item.key()] = sorted_json(item.value);
    out.begin_object();
    for (const auto& [key, json] : fields) out.key(key).raw(json);
    return out.end_object().take();
  }
  if (value.kind() != JsonKind::array) return std::string(value.raw());
  out.begin_array();
  for (const JsonItem& item : value.elements()) out.raw(sorted_json(item.value));
  return out.end_array().take();
}

}  // namespace holdfast::inline v1
