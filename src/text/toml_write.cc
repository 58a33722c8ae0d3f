#include <algorithm>
#include <map>
#include <vector>

#include "base/ascii.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/toml_nodes.h"
#include "text/toml_value.h"

namespace holdfast::inline v1 {
namespace {

// JSON escapes are valid in TOML; only DEL may be raw in JSON but not in TOML.
std::string basic_string(std::string_view text) {
  std::string json, out;
  append_json_string(json, text);
  for (const char c : json) c == '\x7f' ? out.append("\\u007F") : out.append(1, c);
  return out;
}

struct Field {
  std::string key;
  JsonView value;
};

// Returns the fields in order, the last one of duplicates.
std::vector<Field> fields_of(JsonView object) {
  std::map<std::string, const char*> last;
  for (const JsonItem& item : object.fields()) last[item.key()] = item.raw_key.data();
  std::vector<Field> fields;
  for (const JsonItem& item : object.fields()) {
    std::string key = item.key();
    if (last[key] == item.raw_key.data()) fields.push_back({std::move(key), item.value});
  }
  return fields;
}

bool is_tables(JsonView value) {
  bool any = false;
  for (const JsonItem& item : value.elements()) {
    if (item.value.kind() != JsonKind::object) return false;
    any = true;
  }
  return any;
}

bool is_plain(JsonView value) { return value.kind() != JsonKind::object && !is_tables(value); }

Result<std::string> number(JsonView value) {
  const bool integer = value.raw().find_first_of(".eE") == std::string_view::npos;
  if (integer ? !value.as_int64().has_value() : !value.as_double().has_value()) {
    return fail(Code::unsupported, "TOML cannot represent the number " + std::string(value.raw().substr(0, 40)));
  }
  return std::string(value.raw());
}

Result<void> append_inline(std::string& out, JsonView value, std::size_t depth) {
  if (depth > kTomlMaxChain / 2) return fail(Code::too_large, "nested too deeply for TOML");
  switch (value.kind()) {
    case JsonKind::string: out += basic_string(value.as_string().value_or("")); return {};
    case JsonKind::boolean: out += value.raw(); return {};
    case JsonKind::number: {
      HOLDFAST_LET(text, number(value));
      out += text;
      return {};
    }
    case JsonKind::array: {
      const char* gap = "[";
      for (const JsonItem& item : value.elements()) {
        out += gap;
        HOLDFAST_TRY(append_inline(out, item.value, depth + 1));
        gap = ", ";
      }
      out += *gap == '[' ? "[]" : "]";
      return {};
    }
    case JsonKind::object: {
      const char* gap = "{ ";
      for (const Field& field : fields_of(value)) {
        out += gap + toml_key(field.key) + " = ";
        HOLDFAST_TRY(append_inline(out, field.value, depth + 1));
        gap = ", ";
      }
      out += *gap == '{' ? "{}" : " }";
      return {};
    }
    default: return fail(Code::unsupported, "TOML has no null");
  }
}

// Appends the keys of a table and the tables below it; `name` is its dotted name.
Result<void> append_table(std::string& out, const std::string& name, JsonView table, std::size_t depth) {
  if (depth > kTomlMaxChain / 2) return fail(Code::too_large, "nested too deeply for TOML");
  const std::vector<Field> fields = fields_of(table);
  for (const Field& field : fields) {
    if (!is_plain(field.value)) continue;
    out += toml_key(field.key) + " = ";
    HOLDFAST_TRY(append_inline(out, field.value, depth));
    out += "\n";
  }
  for (const Field& field : fields) {
    if (is_plain(field.value)) continue;
    const std::string below = name.empty() ? toml_key(field.key) : name + "." + toml_key(field.key);
    const bool one = field.value.kind() == JsonKind::object;
    const auto section = [&](JsonView content) -> Result<void> {
      if (!out.empty()) out += "\n";
      out += (one ? "[" : "[[") + below + (one ? "]\n" : "]]\n");
      return append_table(out, below, content, depth + 1);
    };
    if (one) HOLDFAST_TRY(section(field.value));
    for (const JsonItem& item : field.value.elements()) HOLDFAST_TRY(section(item.value));
  }
  return {};
}

}  // namespace

std::string toml_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(),
                                                [](char c) { return is_ascii_alnum(c) || c == '_' || c == '-'; });
  return bare ? std::string(key) : basic_string(key);
}

Result<std::string> toml_inline(JsonView value) {
  std::string out;
  HOLDFAST_TRY(append_inline(out, value, 0));
  return out;
}

Result<std::string> json_to_toml(JsonView object) {
  const JsonCheck check = check_json(object.raw());
  if (object.kind() != JsonKind::object || (!check.ok() && check.fault != JsonFault::bad_utf8)) {
    return fail(Code::invalid_argument, "not one JSON object");
  }
  std::string out;
  HOLDFAST_TRY(append_table(out, {}, object, 0));
  return out;
}

}  // namespace holdfast::inline v1
