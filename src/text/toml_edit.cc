#include "text/toml_edit.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "text/json_scan.h"
#include "text/toml_path.h"
#include "text/toml_value.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

// Returns the offset past the last line of plain keys of a table, dotted ones included; 0 if there are none.
std::size_t keys_end(const TomlNode& table) {
  std::size_t end = 0;
  for (const TomlNode& child : table.children) {
    if (child.kind == TomlKind::tables || child.header) continue;
    end = std::max(end, child.kind == TomlKind::table ? keys_end(child) : child.end);
  }
  return end;
}

// Returns the first byte of the first line with a [header], including comments right above it.
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
  return replace_bytes(doc, at, at, text);
}

// Adds "key = value" to the section of `table`.
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

// Returns all ways to write the change, best first; which of them is valid TOML depends
// on how the tables around it were written.
Result<std::vector<std::string>> candidates(std::string_view doc, const TomlNode& root, JsonView after, JsonPath path) {
  const TomlTrail trail = follow_toml(root, path);
  const std::size_t known = trail.nodes.size() - 1;
  const TomlNode& last = *trail.nodes.back();
  std::vector<std::string> out;
  if (last.kind != TomlKind::table && last.kind != TomlKind::tables) {
    HOLDFAST_LET(text, toml_inline(value_at(after, path.first(known))));
    out.push_back(replace_bytes(doc, last.at, last.end, text));
    return out;
  }
  if (known == path.size() || path[known].is_index()) {
    return fail(Code::unsupported, "a table with its own header must be changed key by key");
  }
  // The value of the first missing key contains everything that was missing below it.
  HOLDFAST_LET(fresh, toml_inline(value_at(after, path.first(known + 1))));
  HOLDFAST_LET(value, toml_inline(value_at(after, path)));
  const std::string_view eol = line_break_of(doc);
  const TomlNode& section = *trail.nodes[trail.section];
  const JsonPath rest = path.subspan(trail.section);
  const std::string line = dotted({&path.back(), 1}) + " = " + value;
  if (rest.size() == 1) out.push_back(add_to_section(doc, section, trail.section == 0, line));
  if (!has_index(path) && path.size() > 1) {
    std::string header = "[" + dotted(path.first(path.size() - 1)) + "]";
    const std::size_t end = doc.size();
    const bool open = !doc.empty() && !doc.ends_with('\n');  // it stays without a final newline
    std::string text = open ? std::string(eol) : "";
    if (!doc.empty()) text.append(eol);
    out.push_back(replace_bytes(doc, end, end, text.append(header).append(eol).append(line).append(open ? "" : eol)));
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
  const JsonView old = value_at(JsonView(before), path);
  if (old && sorted_toml_json(old) == sorted_toml_json(JsonView(value_json))) return std::string(doc);
  HOLDFAST_LET(after, json_set(before, path, JsonView(value_json).raw()));
  HOLDFAST_LET(ways, candidates(doc, root, JsonView(after), path));
  const std::string expected = sorted_toml_json(JsonView(after));
  for (const std::string& way : ways) {
    if (const auto json = toml_to_json(way); json && sorted_toml_json(JsonView(*json)) == expected) return way;
  }
  return fail(Code::unsupported, "the TOML document cannot be changed there without changing something else");
}

}  // namespace holdfast::inline v1
