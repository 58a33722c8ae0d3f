#include "text/toml_edit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "text/json_scan.h"
#include "text/json_write.h"
#include "text/toml_nodes.h"
#include "text/toml_value.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

// TOML has no order of keys, so comparisons must not have one either.
std::string sorted(JsonView value) {
  JsonWriter out;
  if (value.kind() == JsonKind::object) {
    std::map<std::string, JsonView> fields;
    for (const JsonItem& item : value.fields()) fields[item.key()] = item.value;
    out.begin_object();
    for (const auto& [key, field] : fields) out.key(key).raw(sorted(field));
    return out.end_object().take();
  }
  if (value.kind() == JsonKind::array) {
    out.begin_array();
    for (const JsonItem& item : value.elements()) out.raw(sorted(item.value));
    return out.end_array().take();
  }
  return value.kind() == JsonKind::string ? out.string(value.as_string().value_or("")).take()
                                          : std::string(value.raw());
}

JsonView lookup(JsonView view, JsonPath path) {
  for (const JsonStep& step : path) {
    JsonView next = step.is_index() ? JsonView() : view.find(step.key());
    std::size_t index = 0;
    for (const JsonItem& item : view.elements()) {
      if (step.is_index() && index++ == step.index()) next = item.value;
    }
    view = next;
  }
  return view;
}

// How far the document knows the path.
struct Trail {
  std::vector<const TomlNode*> nodes;  // the root and what each step found
  std::size_t section = 0;             // into nodes: the last one with a header of its own
};

const TomlNode* step_into(const TomlNode& node, const JsonStep& step) {
  if (!step.is_index()) return node.find(step.key());
  const bool list = node.kind == TomlKind::array || node.kind == TomlKind::tables;
  return list && step.index() < node.children.size() ? &node.children[step.index()] : nullptr;
}

Trail follow(const TomlNode& root, JsonPath path) {
  Trail trail{{&root}};
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

std::string replace(std::string_view doc, std::size_t at, std::size_t end, std::string_view text) {
  return std::string(doc.substr(0, at)).append(text).append(doc.substr(end));
}

// Past the last line of plain keys of a table, dotted ones included; 0 for none.
std::size_t keys_end(const TomlNode& table) {
  std::size_t end = 0;
  for (const TomlNode& child : table.children) {
    if (child.kind == TomlKind::tables || child.header) continue;
    end = std::max(end, child.kind == TomlKind::table ? keys_end(child) : child.end);
  }
  return end;
}

// First byte of the first line with a [header], comments right above it included.
std::size_t first_header(std::string_view doc, const TomlNode& node) {
  std::size_t first = doc.size();
  for (const TomlNode& child : node.children) {
    const bool headed = child.header || child.kind == TomlKind::tables;
    const bool below = child.kind == TomlKind::table;
    if (headed) first = std::min(first, line_start(doc, child.at));
    if (below) first = std::min(first, first_header(doc, child));
  }
  while (first > 0 && first < doc.size()) {
    const std::size_t above = line_start(doc, first - 1);
    if (!is_comment_line(doc.substr(above, first - above))) break;
    first = above;
  }
  return first;
}

std::string insert_line(std::string_view doc, std::size_t at, std::string_view line) {
  const std::string_view eol = line_break_of(doc);
  const bool open = at > 0 && doc[at - 1] != '\n';
  std::string text(open ? eol : "");
  text.append(line);
  if (!open) text.append(eol);
  return replace(doc, at, at, text);
}

// "key = value" in the section of `table`.
std::string add_to_section(std::string_view doc, const TomlNode& table, bool root, std::string_view line) {
  if (const std::size_t end = keys_end(table); end != 0) {
    const std::string_view written = doc.substr(line_start(doc, end));
    const std::string_view indent = written.substr(0, std::min(written.find_first_not_of(" \t"), written.size()));
    return insert_line(doc, next_line(doc, end), std::string(indent.size() < 40 ? indent : "").append(line));
  }
  return insert_line(doc, root ? first_header(doc, table) : next_line(doc, table.end), line);
}

std::string dotted(JsonPath path) {
  std::string out;
  for (const JsonStep& step : path) out.append(out.empty() ? "" : ".").append(toml_key(step.key()));
  return out;
}

bool has_index(JsonPath path) {
  return std::any_of(path.begin(), path.end(), [](const JsonStep& step) { return step.is_index(); });
}

// All ways to write the change, the most fitting first; which of them is TOML
// depends on how the tables around it were written.
Result<std::vector<std::string>> candidates(std::string_view doc, const TomlNode& root, JsonView after, JsonPath path) {
  const Trail trail = follow(root, path);
  const std::size_t known = trail.nodes.size() - 1;
  const TomlNode& last = *trail.nodes.back();
  std::vector<std::string> out;
  if (last.kind != TomlKind::table && last.kind != TomlKind::tables) {
    HOLDFAST_LET(text, toml_inline(lookup(after, path.first(known))));
    out.push_back(replace(doc, last.at, last.end, text));
    return out;
  }
  if (known == path.size() || path[known].is_index()) {
    return fail(Code::unsupported, "tables that are written with headers are changed key by key");
  }
  // The value of the first missing key holds everything that was missing below it.
  HOLDFAST_LET(fresh, toml_inline(lookup(after, path.first(known + 1))));
  HOLDFAST_LET(value, toml_inline(lookup(after, path)));
  const std::string_view eol = line_break_of(doc);
  const TomlNode& section = *trail.nodes[trail.section];
  const JsonPath rest = path.subspan(trail.section);
  const std::string line = dotted({&path.back(), 1}) + " = " + value;
  if (rest.size() == 1) out.push_back(add_to_section(doc, section, trail.section == 0, line));
  if (!has_index(path) && path.size() > 1) {
    std::string header = "[" + dotted(path.first(path.size() - 1)) + "]";
    const std::size_t end = doc.size();
    std::string text = doc.empty() || doc.ends_with('\n') ? "" : std::string(eol);
    if (!doc.empty()) text.append(eol);
    out.push_back(replace(doc, end, end, text.append(header).append(eol).append(line).append(eol)));
  }
  if (!has_index(rest)) {
    out.push_back(add_to_section(doc, section, trail.section == 0, dotted(rest) + " = " + value));
    const JsonPath first = path.subspan(trail.section, known + 1 - trail.section);
    out.push_back(add_to_section(doc, section, trail.section == 0, dotted(first) + " = " + fresh));
  }
  return out;
}

}  // namespace

Result<std::string> toml_set(std::string_view doc, JsonPath path, std::string_view value_json) {
  if (path.empty() || !check_json(value_json).ok()) {
    return fail(Code::invalid_argument,
                path.empty() ? "an edit of TOML needs the key to change" : "not one JSON value");
  }
  HOLDFAST_LET(root, toml_nodes(doc));
  HOLDFAST_LET(before, toml_to_json(doc));
  const JsonView old = lookup(JsonView(before), path);
  if (old && sorted(old) == sorted(JsonView(value_json))) return std::string(doc);
  HOLDFAST_LET(after, json_set(before, path, JsonView(value_json).raw()));
  HOLDFAST_LET(ways, candidates(doc, root, JsonView(after), path));
  const std::string expected = sorted(JsonView(after));
  for (const std::string& way : ways) {
    if (const auto json = toml_to_json(way); json && sorted(JsonView(*json)) == expected) return way;
  }
  return fail(Code::unsupported, "the TOML document cannot be changed there without changing something else");
}

}  // namespace holdfast::inline v1
