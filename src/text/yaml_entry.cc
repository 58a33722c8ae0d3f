#include "text/yaml_entry.h"

#include <algorithm>

#include "text/yaml_lines.h"

namespace holdfast::inline v1 {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Returns the offset past the colon after the key at `key`; npos if it is not on that line.
std::size_t find_colon_end(std::string_view doc, std::size_t key) {
  const std::size_t end = line_end(doc, key);
  std::size_t at = skip_yaml_properties(doc, key);
  if (at >= end) return npos;
  if (doc[at] == '"' || doc[at] == '\'') {
    at = yaml_quoted_end(doc, at);
    if (at != npos) at = doc.find_first_not_of(" \t", at);
    return at < end && doc[at] == ':' ? at + 1 : npos;
  }
  for (; at < end; ++at) {
    if (doc[at] == ':' && (at + 1 == end || is_space(doc[at + 1]))) return at + 1;
  }
  return npos;
}

// Returns the offset past the last line in [at, stop) that is neither blank nor a comment.
std::size_t last_content(std::string_view doc, std::size_t at, std::size_t stop) {
  std::size_t end = at;
  for (; at < stop; at = next_line(doc, at)) {
    const std::string_view line = doc.substr(at, line_end(doc, at) - at);
    if (!is_blank_line(line) && !is_comment_line(line)) end = at + line.size();
  }
  return end;
}

// Returns the end of a plain scalar from `at`: a comment ends it, so none of its lines is one.
std::size_t plain_end(std::string_view doc, std::size_t at, std::size_t stop) {
  const std::size_t end = last_content(doc, at, stop);
  const std::size_t last = std::max(at, line_start(doc, end));
  std::size_t comment = last;
  while (comment < end && !(doc[comment] == '#' && comment > last && is_space(doc[comment - 1]))) ++comment;
  while (comment > at && is_space(doc[comment - 1])) --comment;
  return comment;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Returns the offset past the `|` or `>` at `at` and its indicators.
std::size_t header_end(std::string_view doc, std::size_t at) { return doc.find_first_not_of("+-0123456789", at + 1); }

// A block scalar continues while lines are blank or indented like its first.
std::size_t block_scalar_end(std::string_view doc, std::size_t at, std::size_t stop) {
  std::size_t end = std::min(header_end(doc, at), doc.size());
  std::size_t indent = npos;
  for (at = next_line(doc, at); at < stop; at = next_line(doc, at)) {
    const std::string_view line = doc.substr(at, line_end(doc, at) - at);
    if (is_blank_line(line)) continue;
    if (indent == npos) indent = std::max<std::size_t>(indent_of(line), 1);
    if (indent_of(line) < indent) break;
    end = at + line.size();
  }
  return end;
}

// Returns the last scalar, alias or flow container inside list[at].
std::size_t last_leaf(const YamlEvents& events, std::size_t at) {
  const auto& list = events.list;
  while ((list[at].kind == YamlKind::sequence || list[at].kind == YamlKind::mapping) && !list[at].flow) {
    std::size_t child = at + 1;
    while (list[list[child].next].kind != YamlKind::end) child = list[child].next;
    at = child;
  }
  return at;
}

std::size_t find_value_end(std::string_view doc, const YamlEvents& events, const YamlEntry& entry, std::size_t stop) {
  const std::size_t leaf_at = last_leaf(events, entry.value_event);
  const YamlEvent& leaf = events.list[leaf_at];
  if (leaf.kind == YamlKind::scalar && leaf.plain && leaf.text.empty()) return last_content(doc, entry.value, stop);
  const std::size_t at = skip_yaml_properties(doc, leaf.at);
  if (at >= stop) return last_content(doc, entry.value, stop);
  if (leaf.kind == YamlKind::alias) return std::min(doc.find_first_of(" \t\r\n", at), stop);
  std::size_t end = npos;
  if (leaf.kind != YamlKind::scalar) {
    end = yaml_flow_end(doc, at);
  } else if (doc[at] == '"' || doc[at] == '\'') {
    end = yaml_quoted_end(doc, at);
  } else if (!leaf.plain && (doc[at] == '|' || doc[at] == '>')) {
    end = block_scalar_end(doc, at, stop);
  } else {
    end = plain_end(doc, at, stop);
  }
  return end == npos ? stop : end;
}

}  // namespace

std::string_view yaml_key_text(const YamlEvents& events, std::size_t key) {
  const YamlEvent& event = events.list[key];
  return event.kind == YamlKind::alias ? events.list[event.target].text : event.text;
}

Result<std::vector<YamlEntry>> yaml_entries(std::string_view doc, const YamlEvents& events, std::size_t mapping,
                                            std::size_t stop) {
  const auto& list = events.list;
  std::vector<YamlEntry> entries;
  for (std::size_t key = mapping + 1; list[key].kind != YamlKind::end;) {
    YamlEntry entry{.value_event = list[key].next, .line = line_start(doc, list[key].at), .key = list[key].at};
    const std::size_t next = list[entry.value_event].next;
    entry.region_end = list[next].kind == YamlKind::end ? stop : line_start(doc, list[next].at);
    const std::string_view indent = doc.substr(entry.line, entry.key - entry.line);
    entry.colon_end = find_colon_end(doc, entry.key);
    if (indent.find_first_not_of(' ') != npos || entry.colon_end == npos || entry.region_end < entry.colon_end) {
      return fail(Code::unsupported, "a YAML mapping whose keys are not at the start of their lines");
    }
    const YamlEvent& value = list[entry.value_event];
    const bool absent = value.kind == YamlKind::scalar && value.plain && value.text.empty();
    entry.value = absent ? entry.colon_end : value.at;
    entry.value_end = absent ? entry.colon_end : find_value_end(doc, events, entry, entry.region_end);
    entry.head_end = std::min(line_end(doc, entry.value), entry.value_end);
    if (value.kind == YamlKind::scalar && !value.plain && entry.value < doc.size() &&
        (doc[entry.value] == '|' || doc[entry.value] == '>')) {
      entry.head_end = std::min(header_end(doc, entry.value), entry.value_end);
    }
    entries.push_back(entry);
    key = next;
  }
  return entries;
}

}  // namespace holdfast::inline v1
