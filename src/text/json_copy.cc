#include "text/json_copy.h"

namespace holdfast::inline v1 {

void copy_json(JsonWriter& out, JsonView value) {
  if (value.kind() == JsonKind::object) {
    out.begin_object();
    for (const JsonItem& item : value.fields()) {
      out.key(item.key());
      copy_json(out, item.value);
    }
    out.end_object();
  } else if (value.kind() == JsonKind::array) {
    out.begin_array();
    for (const JsonItem& item : value.elements()) copy_json(out, item.value);
    out.end_array();
  } else {
    out.raw(value.raw());
  }
}

std::string compact_json(JsonView value) {
  JsonWriter out;
  copy_json(out, value);
  return out.take();
}

std::string pretty_json(JsonView value, std::size_t depth) {
  JsonWriter out(JsonLayout::pretty);
  copy_json(out, value);
  std::string text = out.take();
  if (depth == 0) return text;
  // Line breaks stand between tokens only: in strings they are escaped.
  std::string indented;
  for (const char byte : text) {
    indented += byte;
    if (byte == '\n') indented.append(depth * 2, ' ');
  }
  return indented;
}

}  // namespace holdfast::inline v1
