#include "text/yaml_edit.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "text/json_scan.h"
#include "text/json_value.h"
#include "text/yaml_entry.h"
#include "text/yaml_lines.h"
#include "text/yaml_value.h"
#include "text/yaml_write.h"

namespace holdfast::inline v1 {
namespace {

// How much a splice replaces. The first one that reads back correctly is used: the
// lines after a value may be blank lines of a block scalar, or belong to nothing.
enum class Reach { value, region, keep_line_end };
constexpr Reach kReaches[] = {Reach::value, Reach::region, Reach::keep_line_end};

struct Document {
  std::string_view text;
  YamlEvents events;
  std::string json;
  std::string_view eol;
};

// A block mapping on the way, and the entries of the next step in it.
struct Level {
  std::vector<YamlEntry> entries;
  std::vector<std::size_t> matches;  // into entries; the last one counts
  std::size_t stop = 0;
};

std::string_view slice(std::string_view text, std::size_t begin, std::size_t end) {
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

// Returns the one spelling of a value that comparisons use; refuses values that YAML cannot represent.
Result<std::string> canonical(std::string_view json) {
  HOLDFAST_LET(yaml, json_to_yaml(JsonView(json)));
  return yaml_to_json(yaml);
}

// Same as json_set, but replaces a null on the way with a container as if it were missing.
Result<std::string> set_in_json(std::string_view json, JsonPath path, std::string_view value) {
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    const JsonView at = value_at(JsonView(json), path.first(depth));
    if (!at) break;
    if (!at.is_null()) continue;
    HOLDFAST_LET(fresh, json_set(path[depth].is_index() ? "[]" : "{}", path.subspan(depth), value));
    return json_set(json, path.first(depth), fresh);
  }
  return json_set(json, path, value);
}

Result<Document> open_document(std::string_view doc, JsonPath path) {
  if (path.empty()) return fail(Code::invalid_argument, "an edit of YAML needs the key to change");
  HOLDFAST_LET(events, yaml_events(doc));
  HOLDFAST_LET(json, yaml_events_json(events, 0));
  return Document{doc, std::move(events), std::move(json), line_break_of(doc)};
}

bool is_block_mapping(const YamlEvents& events, std::size_t at) {
  return at < events.list.size() && events.list[at].kind == YamlKind::mapping && !events.list[at].flow;
}

Result<Level> look(const Document& doc, std::size_t mapping, std::size_t stop, const JsonStep& step) {
  HOLDFAST_LET(entries, yaml_entries(doc.text, doc.events, mapping, stop));
  Level level{.entries = std::move(entries), .stop = stop};
  std::size_t key = mapping + 1;
  for (std::size_t at = 0; at < level.entries.size(); ++at) {
    if (!step.is_index() && yaml_key_text(doc.events, key) == step.key()) level.matches.push_back(at);
    key = doc.events.list[level.entries[at].value_event].next;
  }
  return level;
}

std::string with_line_ends(std::string_view text, std::string_view eol) {
  std::string out;
  for (const char c : text) c == '\n' ? out.append(eol) : out.append(1, c);
  return out;
}

// Returns the lines of a value indented by `indent` spaces, without the last line end.
Result<std::string> block_lines(const Document& doc, JsonView value, std::size_t indent) {
  if (is_yaml_inline(value)) return std::string(indent, ' ') + yaml_inline(value);
  std::string lines;
  HOLDFAST_TRY(append_yaml_block(lines, value, indent));
  lines.pop_back();
  return with_line_ends(lines, doc.eol);
}

// Returns "key: value", on several lines if the value needs them, without the last line end.
Result<std::string> entry_text(const Document& doc, std::string_view key, JsonView value, std::size_t indent) {
  std::string out(indent, ' ');
  append_yaml_key(out, key, indent);
  out = with_line_ends(out, doc.eol);
  if (is_yaml_inline(value)) return out + " " + yaml_inline(value);
  HOLDFAST_LET(lines, block_lines(doc, value, indent + 2));
  return out.append(doc.eol).append(lines);
}

// Returns where the value ends for this splice: trailing blank lines and comments of
// the region may have to go with it.
std::size_t end_of(const Document& doc, const YamlEntry& entry, Reach reach) {
  if (reach != Reach::region || entry.region_end <= entry.value_end) return entry.value_end;
  std::size_t end = entry.region_end;
  if (doc.text[end - 1] == '\n') --end;
  if (end > entry.value_end && doc.text[end - 1] == '\r') --end;
  return end;
}

Result<std::string> replace_value(const Document& doc, const YamlEntry& entry, JsonView value, Reach reach) {
  const std::string_view text = doc.text;
  const std::size_t key_line_end = line_end(text, entry.colon_end);
  const std::size_t end = end_of(doc, entry, reach);
  const bool on_key_line = entry.value < key_line_end || entry.empty();
  const bool one_line = end <= key_line_end;
  // The rest of the key's line: spaces and a comment.
  std::string_view beside = slice(text, on_key_line ? entry.head_end : entry.colon_end, key_line_end);
  if (is_blank_line(beside)) beside = {};
  const std::string_view behind = text.substr(end);
  if (is_yaml_inline(value)) {
    const bool spaced = on_key_line && entry.value > entry.colon_end;
    std::string out(text.substr(0, spaced ? entry.value : entry.colon_end));
    if (!spaced) out.push_back(' ');
    out.append(yaml_inline(value));
    if (!one_line) out.append(beside);
    return out.append(behind);
  }
  HOLDFAST_LET(lines, block_lines(doc, value, entry.key - entry.line + 2));
  std::string out(text.substr(0, entry.colon_end));
  out.append(beside).append(doc.eol).append(lines);
  return out.append(one_line ? text.substr(key_line_end) : behind);
}

// Returns the document with `entry` as a new last line of [0, at).
std::string insert_line(const Document& doc, std::size_t at, std::string_view entry) {
  std::string out(doc.text.substr(0, at));
  const bool open_line = !out.empty() && out.back() != '\n';
  if (open_line) out.append(doc.eol);
  out.append(entry);
  if (!open_line) out.append(doc.eol);
  return out.append(doc.text.substr(at));
}

Result<std::string> add_entry(const Document& doc, const Level& level, bool at_top, std::string_view key,
                              JsonView value, Reach reach) {
  const YamlEntry& last = level.entries.back();
  HOLDFAST_LET(text, entry_text(doc, key, value, last.key - last.line));
  if (at_top || reach != Reach::value) return insert_line(doc, level.stop, text);
  const std::size_t at = line_end(doc.text, last.value_end);
  std::string out(doc.text.substr(0, at));
  return out.append(doc.eol).append(text).append(doc.text.substr(at));
}

// For a document without a block mapping at the top: empty, or in brackets.
Result<std::string> replace_root(const Document& doc, JsonView root) {
  HOLDFAST_LET(lines, block_lines(doc, root, 0));
  const auto& list = doc.events.list;
  if (list.empty() || (list[0].kind == YamlKind::scalar && list[0].text.empty())) {
    return insert_line(doc, doc.events.stop, lines);
  }
  const std::size_t at = list[0].at;
  const std::size_t end = list[0].kind == YamlKind::scalar ? at + list[0].text.size() : yaml_flow_end(doc.text, at);
  if (end > doc.text.size()) return fail(Code::unsupported, "this YAML document cannot be edited in place");
  std::string out(doc.text.substr(0, at));
  return out.append(lines).append(doc.text.substr(end));
}

Result<std::string> try_set(const Document& doc, JsonPath path, std::string_view value, Reach reach) {
  if (!is_block_mapping(doc.events, 0)) {
    HOLDFAST_LET(root, set_in_json(doc.json, path, value));
    return replace_root(doc, JsonView(root));
  }
  std::size_t mapping = 0, stop = doc.events.stop;
  for (std::size_t depth = 0;; ++depth) {
    HOLDFAST_LET(level, look(doc, mapping, stop, path[depth]));
    const JsonPath rest = path.subspan(depth + 1);
    if (level.matches.empty()) {
      HOLDFAST_LET(fresh, set_in_json("null", rest, value));
      return add_entry(doc, level, depth == 0, path[depth].key(), JsonView(fresh), reach);
    }
    const YamlEntry& entry = level.entries[level.matches.back()];
    if (rest.empty() || rest.front().is_index() || !is_block_mapping(doc.events, entry.value_event)) {
      const JsonView old = value_at(JsonView(doc.json), path.first(depth + 1));
      HOLDFAST_LET(fresh, set_in_json(old.raw(), rest, value));
      return replace_value(doc, entry, JsonView(fresh), reach);
    }
    mapping = entry.value_event;
    stop = entry.region_end;
  }
}

// Returns the document without the lines of every match.
std::string cut_entries(const Document& doc, const Level& level, Reach reach) {
  std::string out;
  std::size_t copied = 0;
  for (const std::size_t match : level.matches) {
    const YamlEntry& entry = level.entries[match];
    out.append(slice(doc.text, copied, entry.line));
    copied = next_line(doc.text, end_of(doc, entry, reach));
  }
  // If the last line had no line end, the new last line has none either.
  if (copied == doc.text.size() && !doc.text.ends_with('\n') && reach != Reach::keep_line_end) {
    if (out.ends_with('\n')) out.pop_back();
    if (out.ends_with('\r')) out.pop_back();
  }
  return out.append(doc.text.substr(copied));
}

Result<std::string> try_remove(const Document& doc, JsonPath path, Reach reach) {
  std::size_t mapping = 0, stop = doc.events.stop;
  for (std::size_t depth = 0; depth < path.size() && is_block_mapping(doc.events, mapping); ++depth) {
    HOLDFAST_LET(level, look(doc, mapping, stop, path[depth]));
    if (level.matches.empty()) return fail(Code::internal, "the key was there a moment ago");
    if (depth + 1 == path.size()) {
      if (level.matches.size() < level.entries.size()) return cut_entries(doc, level, reach);
      break;
    }
    const YamlEntry& entry = level.entries[level.matches.back()];
    mapping = entry.value_event;
    stop = entry.region_end;
  }
  // Inside brackets or a list, or the last key of its mapping: rewrite the whole container.
  HOLDFAST_LET(left, json_remove(doc.json, path));
  if (path.size() > 1) {
    const JsonPath parent = path.first(path.size() - 1);
    return try_set(doc, parent, value_at(JsonView(left), parent).raw(), reach);
  }
  if (!is_block_mapping(doc.events, 0)) return replace_root(doc, JsonView(left));
  HOLDFAST_LET(entries, yaml_entries(doc.text, doc.events, 0, doc.events.stop));
  std::string out(doc.text.substr(0, entries.front().key));
  return out.append("{}").append(doc.text.substr(end_of(doc, entries.back(), reach)));
}

// Returns the first candidate that reads back as `expected`.
template <typename Attempt>
Result<std::string> first_right(const Document& doc, std::string_view expected, Attempt attempt) {
  for (const Reach reach : kReaches) {
    HOLDFAST_LET(candidate, attempt(reach));
    if (const auto json = yaml_to_json(candidate); json && *json == expected) return candidate;
  }
  return fail(Code::unsupported, "the YAML document of " + std::to_string(doc.text.size()) +
                                     " bytes cannot be changed there without changing something else");
}

Result<std::string> set_in(std::string_view doc, JsonPath path, std::string_view value_json) {
  HOLDFAST_LET(value, canonical(value_json));
  if (is_json_container(doc)) {
    const auto old = canonical(value_at(JsonView(doc), path).raw());
    return old && *old == value ? std::string(doc) : json_set(doc, path, value_json);
  }
  HOLDFAST_LET(document, open_document(doc, path));
  if (value_at(JsonView(document.json), path).raw() == value) return std::string(doc);
  HOLDFAST_LET(expected, set_in_json(document.json, path, value));
  return first_right(document, expected, [&](Reach reach) { return try_set(document, path, value, reach); });
}

Result<std::string> remove_in(std::string_view doc, JsonPath path) {
  if (is_json_container(doc)) return json_remove(doc, path);
  HOLDFAST_LET(document, open_document(doc, path));
  if (!value_at(JsonView(document.json), path)) return std::string(doc);
  HOLDFAST_LET(expected, json_remove(document.json, path));
  return first_right(document, expected, [&](Reach reach) { return try_remove(document, path, reach); });
}

// Edits work without the byte-order mark; it is added again afterwards. A second one would shift every place in the
// document: parsers skip it, but it is not part of the mark.
template <typename Edit>
Result<std::string> edit_after_mark(std::string_view doc, Edit edit) {
  const std::string_view text = without_bom(doc);
  if (without_bom(text).size() < text.size())
    return fail(Code::unsupported, "the YAML document begins with two byte-order marks");
  HOLDFAST_LET(edited, edit(text));
  return std::string(doc.substr(0, doc.size() - text.size())).append(edited);
}

}  // namespace

Result<std::string> yaml_set(std::string_view doc, JsonPath path, std::string_view value_json) {
  return edit_after_mark(doc, [&](std::string_view text) { return set_in(text, path, value_json); });
}

Result<std::string> yaml_remove(std::string_view doc, JsonPath path) {
  return edit_after_mark(doc, [&](std::string_view text) { return remove_in(text, path); });
}

}  // namespace holdfast::inline v1
