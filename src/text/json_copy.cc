#include "text/json_copy.h"

#include "text/json_plain.h"
#include "text/json_scan.h"
#include "text/json_string.h"

namespace holdfast::inline v1 {
namespace {

// Compares token by token, ignoring the whitespace between them.
bool same_tokens(std::string_view a, std::string_view b) {
  std::size_t at_a = 0, at_b = 0;
  while (true) {
    at_a = skip_json_space(a, at_a);
    at_b = skip_json_space(b, at_b);
    if (at_a == a.size() || at_b == b.size()) return at_a == a.size() && at_b == b.size();
    if (a[at_a] != b[at_b]) return false;
    std::size_t length = 1;
    if (a[at_a] == '"') {
      const std::size_t end = json_value_end(a, at_a);
      length = (end == std::string_view::npos ? a.size() : end) - at_a;
      if (a.substr(at_a, length) != b.substr(at_b, length)) return false;
    }
    at_a += length;
    at_b += length;
  }
}

// A lone surrogate is not text: only its escape can be copied.
bool keys_are_text(JsonView object) {
  for (const JsonItem& item : object.fields())
    if (!json_string_is_text(item.raw_key)) return false;
  return true;
}

// Whether copy_json writes exactly these bytes. May return false although it does: if a key is more than plain ASCII.
bool is_compact(std::string_view json) {
  if (json_value_end(json, 0) != json.size()) return false;
  for (std::size_t at = 0; at < json.size();) {
    if (skip_json_space(json, at) != at) return false;
    if (json[at] != '"') {
      ++at;
      continue;
    }
    const std::size_t end = json_value_end(json, at);
    if (end < json.size() && json[end] == ':' && !is_json_plain_ascii(json.substr(at + 1, end - at - 2))) return false;
    at = end;
  }
  return true;
}

std::string without_space(std::string_view json) {
  std::string out;
  for (std::size_t at = skip_json_space(json, 0); at < json.size(); at = skip_json_space(json, at)) {
    const std::size_t end = json[at] == '"' ? json_value_end(json, at) : at + 1;
    const std::size_t length = (end == std::string_view::npos ? json.size() : end) - at;
    out.append(json, at, length);
    at += length;
  }
  return out;
}

}  // namespace

void copy_json(JsonWriter& out, JsonView value) {
  if (value.kind() == JsonKind::object && !keys_are_text(value)) {
    out.raw(without_space(value.raw()));
  } else if (value.kind() == JsonKind::object) {
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
  if (is_compact(value.raw())) return std::string(value.raw());
  JsonWriter out;
  copy_json(out, value);
  return out.take();
}

bool same_json(JsonView a, JsonView b) {
  if (a.raw() == b.raw() || same_tokens(a.raw(), b.raw())) return true;
  // A key may be written with escapes, which the copy spells in its own way.
  const auto escapes = [](JsonView value) { return value.raw().find('\\') != std::string_view::npos; };
  return (escapes(a) || escapes(b)) && compact_json(a) == compact_json(b);
}

std::string pretty_json(JsonView value, std::size_t depth) {
  JsonWriter out(JsonLayout::pretty);
  copy_json(out, value);
  std::string text = out.take();
  if (depth == 0) return text;
  // Line breaks occur only between tokens: in strings they are escaped.
  std::string indented;
  for (const char byte : text) {
    indented += byte;
    if (byte == '\n') indented.append(depth * 2, ' ');
  }
  return indented;
}

}  // namespace holdfast::inline v1
