#include <algorithm>

#include "text/toml_edit.h"
#include "text/toml_path.h"
#include "text/toml_value.h"
#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

struct Cut {
  std::size_t at = 0, end = 0;
};

// Collects where each [header] of the document begins, in order.
void headers_of(std::string_view doc, const TomlNode& node, std::vector<std::size_t>& starts) {
  for (const TomlNode& child : node.children) {
    const bool element = node.kind == TomlKind::tables;
    if ((child.kind == TomlKind::table && child.header) || element) starts.push_back(line_start(doc, child.at));
    if (child.kind == TomlKind::table || child.kind == TomlKind::tables) headers_of(doc, child, starts);
  }
}

// Returns the offset past the last line with content in a section: comments and blank
// lines after it belong to what follows.
std::size_t section_end(std::string_view doc, std::size_t header, const std::vector<std::size_t>& starts) {
  const auto next = std::ranges::upper_bound(starts, header);
  std::size_t end = next == starts.end() ? doc.size() : *next;
  const std::size_t first = next_line(doc, header);
  while (end > first) {
    const std::size_t line = line_start(doc, end - 1);
    const std::string_view text = doc.substr(line, end - line);
    if (line < first || (!is_comment_line(text) && !is_blank_line(text.substr(0, text.find_first_of("\r\n"))))) break;
    end = line;
  }
  return end;
}

// Collects the bytes of a value that has its own lines: a key, or tables.
void cuts_of(std::string_view doc, const TomlNode& node, bool element, const std::vector<std::size_t>& starts,
             std::vector<Cut>& cuts) {
  if (node.kind != TomlKind::table && node.kind != TomlKind::tables) {
    cuts.push_back({line_start(doc, node.key_at), next_line(doc, node.end)});
    return;
  }
  if ((node.kind == TomlKind::table && node.header) || element) {
    const std::size_t header = line_start(doc, node.at);
    cuts.push_back({header, section_end(doc, header, starts)});
  }
  for (const TomlNode& child : node.children) cuts_of(doc, child, node.kind == TomlKind::tables, starts, cuts);
}

std::string without(std::string_view doc, std::vector<Cut> cuts) {
  std::ranges::sort(cuts, {}, &Cut::at);
  std::string out;
  std::size_t from = 0;
  for (const Cut& cut : cuts) {
    if (cut.at > from) out.append(doc.substr(from, cut.at - from));
    from = std::max(from, cut.end);
  }
  return out.append(doc.substr(std::min(from, doc.size())));
}

// Whether `now` equals `wanted`, possibly without containers that became empty.
bool is_without(const std::string& now, std::string wanted, JsonPath path) {
  while (true) {
    if (sorted_toml_json(JsonView(now)) == sorted_toml_json(JsonView(wanted))) return true;
    if (path.empty()) return false;
    path = path.first(path.size() - 1);
    const JsonView left = value_at(JsonView(wanted), path);
    const bool empty = left.kind() == JsonKind::object ? left.fields().empty() : left.elements().empty();
    if (path.empty() || !empty) return false;
    auto smaller = json_remove(wanted, path);
    if (!smaller) return false;
    wanted = std::move(*smaller);
  }
}

}  // namespace

Result<std::string> toml_remove(std::string_view doc, JsonPath path) {
  if (path.empty()) return fail(Code::invalid_argument, "an edit of TOML needs the key to remove");
  HOLDFAST_LET(root, toml_nodes(doc));
  HOLDFAST_LET(before, toml_to_json(doc));
  if (!value_at(JsonView(before), path)) return std::string(doc);
  HOLDFAST_LET(after, json_remove(before, path));
  const TomlTrail trail = follow_toml(root, path);
  const std::size_t known = trail.nodes.size() - 1;
  std::string now;
  if (known < path.size()) {
    // Inside a value that is written as a whole.
    const TomlNode& whole = *trail.nodes.back();
    HOLDFAST_LET(text, toml_inline(value_at(JsonView(after), path.first(known))));
    now = replace_bytes(doc, whole.at, whole.end, text);
  } else {
    std::vector<std::size_t> starts;
    headers_of(doc, root, starts);
    std::ranges::sort(starts);
    std::vector<Cut> cuts;
    cuts_of(doc, *trail.nodes.back(), trail.nodes[known - 1]->kind == TomlKind::tables, starts, cuts);
    now = without(doc, std::move(cuts));
  }
  if (const auto json = toml_to_json(now); json && is_without(*json, after, path)) return now;
  return fail(Code::unsupported, "that cannot be removed from the TOML document without removing something else");
}

}  // namespace holdfast::inline v1
