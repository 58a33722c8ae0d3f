#include "text/yaml_write.h"

#include <unordered_map>

#include "text/json_scan.h"
#include "text/yaml_events.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kLongestShortKey = 1000;

bool is_empty(JsonView container) { return container.fields().empty() && container.elements().empty(); }

Result<void> append_lines(std::string& out, JsonView value, std::size_t indent, std::size_t depth, bool first_inline);

// Appends the value after "key:" or "-", with a final line end.
Result<void> append_value(std::string& out, JsonView value, std::size_t indent, std::size_t depth, bool after_dash) {
  if (is_yaml_inline(value)) {
    out.append(" ").append(yaml_inline(value)).append("\n");
    return {};
  }
  out.append(after_dash ? " " : "\n");
  return append_lines(out, value, indent + 2, depth + 1, after_dash);
}

// Appends the items of a container; if `first_inline`, the first one continues the
// current line: "- a: 1".
Result<void> append_lines(std::string& out, JsonView value, std::size_t indent, std::size_t depth, bool first_inline) {
  if (depth > kYamlMaxDepth) return fail(Code::too_large, "nested too deeply for YAML");
  const auto begin_line = [&] {
    if (!first_inline) out.append(indent, ' ');
    first_inline = false;
  };
  if (value.kind() == JsonKind::array) {
    for (const JsonItem& item : value.elements()) {
      begin_line();
      out.push_back('-');
      HOLDFAST_TRY(append_value(out, item.value, indent, depth, true));
    }
    return {};
  }
  std::unordered_map<std::string, const char*> last;
  for (const JsonItem& item : value.fields()) last[item.key()] = item.raw_key.data();
  for (const JsonItem& item : value.fields()) {
    const std::string key = item.key();
    if (last[key] != item.raw_key.data()) continue;
    begin_line();
    append_yaml_key(out, key, indent);
    HOLDFAST_TRY(append_value(out, item.value, indent, depth, false));
  }
  return {};
}

}  // namespace

bool is_yaml_inline(JsonView value) {
  const JsonKind kind = value.kind();
  return (kind != JsonKind::array && kind != JsonKind::object) || is_empty(value);
}

std::string yaml_inline(JsonView value) {
  switch (value.kind()) {
    case JsonKind::string: return yaml_scalar(value.as_string().value_or(""));
    case JsonKind::object: return "{}";
    case JsonKind::array: return "[]";
    case JsonKind::none: return "null";
    default: return std::string(value.raw());
  }
}

void append_yaml_key(std::string& out, std::string_view key, std::size_t indent) {
  const std::string scalar = yaml_scalar(key);
  if (scalar.size() <= kLongestShortKey) {
    out.append(scalar).append(":");
  } else {
    out.append("? ").append(scalar).append("\n").append(indent, ' ').append(":");
  }
}

Result<void> append_yaml_block(std::string& out, JsonView value, std::size_t indent) {
  return append_lines(out, value, indent, 1, false);
}

Result<std::string> json_to_yaml(JsonView value) {
  const JsonCheck check = check_json(value.raw());
  if (!check.ok() && check.fault != JsonFault::bad_utf8) {
    return fail(Code::invalid_argument, "not one JSON value: " + std::string(json_fault_name(check.fault)));
  }
  if (is_yaml_inline(value)) return yaml_inline(value) + "\n";
  std::string out;
  HOLDFAST_TRY(append_yaml_block(out, value, 0));
  return out;
}

}  // namespace holdfast::inline v1
