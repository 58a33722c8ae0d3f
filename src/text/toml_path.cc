#include "text/toml_path.h"

#include <map>

#include "text/json_write.h"

namespace holdfast::inline v1 {
namespace {

const TomlNode* step_into(const TomlNode& node, const JsonStep& step) {
  if (!step.is_index()) return node.find(step.key());
  const bool list = node.kind == TomlKind::array || node.kind == TomlKind::tables;
  return list && step.index() < node.children.size() ? &node.children[step.index()] : nullptr;
}

}  // namespace

std::string sorted_toml_json(JsonView value) {
  JsonWriter out;
  if (value.kind() == JsonKind::object) {
    std::map<std::string, JsonView> fields;
    for (const JsonItem& item : value.fields()) fields[item.key()] = item.value;
    out.begin_object();
    for (const auto& [key, field] : fields) out.key(key).raw(sorted_toml_json(field));
    return out.end_object().take();
  }
  if (value.kind() == JsonKind::array) {
    out.begin_array();
    for (const JsonItem& item : value.elements()) out.raw(sorted_toml_json(item.value));
    return out.end_array().take();
  }
  return value.kind() == JsonKind::string ? out.string(value.as_string().value_or("")).take()
                                          : std::string(value.raw());
}

TomlTrail follow_toml(const TomlNode& root, JsonPath path) {
  TomlTrail trail{{&root}};
  for (const JsonStep& step : path) {
    const TomlNode& node = *trail.nodes.back();
    const TomlNode* next = step_into(node, step);
    if (next == nullptr) break;
    trail.nodes.push_back(next);
    const bool element = node.kind == TomlKind::tables;
    if (next->header || element) trail.section = trail.nodes.size() - 1;
    if (next->kind == TomlKind::inline_table || next->kind == TomlKind::array) break;
  }
  return trail;
}

std::string replace_bytes(std::string_view doc, std::size_t at, std::size_t end, std::string_view text) {
  return std::string(doc.substr(0, at)).append(text).append(doc.substr(end));
}

}  // namespace holdfast::inline v1
