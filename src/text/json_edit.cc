#include "text/json_edit.h"

#include <utility>

#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/json_style.h"
#include "text/json_value.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

// A container on the way and the item that the next step finds in it. Items are slices
// of the document; missing ones are default values.
struct Level {
  JsonView container;
  std::size_t count = 0;
  JsonItem first = {};
  JsonItem before_last = {};
  JsonItem last = {};
  JsonView match = {};  // kind none: the step names a value that does not exist yet
};

const char* start_of(const JsonItem& item) {
  return item.raw_key.empty() ? item.value.raw().data() : item.raw_key.data();
}
const char* end_of(const JsonItem& item) { return item.value.raw().data() + item.value.raw().size(); }
std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

std::string splice(std::string_view doc, std::string_view hole, std::string_view text) {
  const auto at = static_cast<std::size_t>(hole.data() - doc.data());
  std::string out;
  out.reserve(doc.size() - hole.size() + text.size());
  return out.append(doc.substr(0, at)).append(text).append(doc.substr(at + hole.size()));
}

Result<JsonView> open_document(std::string_view doc, JsonPath path) {
  if (path.size() > kJsonMaxDepth) return fail(Code::too_large, "the path is deeper than any document may be");
  for (const JsonStep& step : path) {
    if (utf8_fault(step.key()) != std::string_view::npos) {
      return fail(Code::invalid_argument, "a key of the path is not valid UTF-8");
    }
  }
  const std::string_view body = without_bom(doc);
  const JsonCheck check = check_json(body);
  if (!check.ok() && check.fault != JsonFault::bad_utf8) {
    return fail(Code::corrupt,
                "the document is not one whole JSON value: " + std::string(json_fault_name(check.fault)) + " at byte " +
                    std::to_string(check.at + doc.size() - body.size()));
  }
  return JsonView(body);
}

bool step_names(const JsonStep& step, const JsonItem& item, std::size_t index) {
  return step.is_index() ? step.index() == index : item.key_is(step.key());
}

Result<Level> look(JsonView container, const JsonStep& step) {
  if (container.kind() != (step.is_index() ? JsonKind::array : JsonKind::object)) {
    return fail(Code::schema_mismatch, step.is_index() ? "an index step meets a value that is not an array"
                                                       : "a key step meets a value that is not an object");
  }
  Level level{.container = container};
  for (const JsonItem& item : step.is_index() ? container.elements() : container.fields()) {
    if (level.count == 0) level.first = item;
    if (step_names(step, item, level.count)) level.match = item.value;
    level.before_last = level.last;
    level.last = item;
    ++level.count;
  }
  return level;
}

void append_member(std::string& out, const JsonStep& step, std::string_view colon) {
  if (step.is_index()) return;
  append_json_string(out, step.key());
  out.append(colon);
}

// Wraps `value` in the containers that `path` still needs, formatted in `style`.
Result<std::string> wrap(JsonPath path, std::string_view value, const JsonStyle& style) {
  std::string out;
  std::string indent(style.indent);
  for (const JsonStep& step : path) {
    if (step.is_index() && step.index() != 0) return fail(Code::not_found, "index past the end of a new array");
    out.push_back(step.is_index() ? '[' : '{');
    indent.append(style.unit);
    if (!style.eol.empty()) out.append(style.eol).append(indent);
    append_member(out, step, style.colon);
  }
  out.append(value);
  for (std::size_t at = path.size(); at-- > 0;) {
    indent.resize(indent.size() - style.unit.size());
    if (!style.eol.empty()) out.append(style.eol).append(indent);
    out.push_back(path[at].is_index() ? ']' : '}');
  }
  return out;
}

Result<std::string> insert_first(std::string_view doc, const Level& level, JsonPath path, std::string_view value,
                                 JsonStyle style) {
  const std::string_view raw = level.container.raw();
  const std::string_view inner = raw.substr(1, raw.size() - 2);
  if (!inner.empty()) style.eol = line_end_in(inner);
  std::string before(inner), after(inner);
  if (!style.eol.empty()) {
    const std::string_view outer = line_indent(doc, static_cast<std::size_t>(raw.data() - doc.data()));
    const std::string closing = std::string(style.eol).append(outer);
    before = closing + std::string(style.unit);
    if (inner.empty()) after = closing;
    style.indent = std::string_view(before).substr(style.eol.size());
  }
  HOLDFAST_LET(wrapped, wrap(path.subspan(1), value, style));
  std::string text = before;
  append_member(text, path.front(), style.colon);
  return splice(doc, inner, text.append(wrapped).append(after));
}

Result<std::string> insert_last(std::string_view doc, const Level& level, JsonPath path, std::string_view value,
                                JsonStyle style) {
  const std::string_view lead = between(level.container.raw().data() + 1, start_of(level.first));
  std::string gap(",");
  if (level.count > 1) {
    gap = between(end_of(level.before_last), start_of(level.last));
  } else {
    gap.append(lead.empty() ? style.spacer : lead);
  }
  style.eol = line_end_in(gap);
  style.indent = indent_in(gap);
  if (const JsonItem& last = level.last; !last.raw_key.empty()) {
    style.colon = between(last.raw_key.data() + last.raw_key.size(), last.value.raw().data());
  }
  HOLDFAST_LET(wrapped, wrap(path.subspan(1), value, style));
  std::string text = gap;
  append_member(text, path.front(), style.colon);
  return splice(doc, between(end_of(level.last), end_of(level.last)), text.append(wrapped));
}

Result<std::string> set_at(std::string_view doc, JsonView root, JsonPath path, std::string_view value) {
  JsonView target = root;
  for (; !path.empty(); path = path.subspan(1)) {
    HOLDFAST_LET(level, look(target, path.front()));
    if (!level.match) {
      if (path.front().is_index() && path.front().index() != level.count) {
        return fail(Code::not_found, "index past the end of the array");
      }
      const JsonStyle style = json_style_of(doc, root);
      return level.count == 0 ? insert_first(doc, level, path, value, style)
                              : insert_last(doc, level, path, value, style);
    }
    target = level.match;
  }
  return splice(doc, target.raw(), value);
}

// Cuts every item that `step` names. An item goes with the comma before it or, if no
// earlier item is kept, with the comma after it.
std::string cut_items(std::string_view doc, JsonView container, const JsonStep& step) {
  std::string out(between(doc.data(), container.raw().data() + 1));
  const char* copied = container.raw().data() + 1;  // everything before this is in `out` or was cut
  const char* previous_end = copied;
  bool any_kept = false;
  bool cut_leading = false;
  std::size_t index = 0;
  for (const JsonItem& item : step.is_index() ? container.elements() : container.fields()) {
    if (!step_names(step, item, index++)) {
      if (cut_leading && !any_kept) copied = start_of(item);
      any_kept = true;
    } else if (any_kept) {
      out.append(between(copied, previous_end));
      copied = end_of(item);
    } else if (!cut_leading) {
      out.append(between(copied, start_of(item)));
      cut_leading = true;
    }
    previous_end = end_of(item);
  }
  if (!any_kept && cut_leading) return splice(doc, container.raw().substr(1, container.raw().size() - 2), {});
  return out.append(between(copied, doc.data() + doc.size()));
}

}  // namespace

JsonView value_at(JsonView view, JsonPath path) {
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

Result<std::string> json_set(std::string_view doc, JsonPath path, std::string_view value_json) {
  if (const JsonCheck check = check_json(value_json); !check.ok()) {
    return fail(Code::invalid_argument,
                "the new value is not one JSON value: " + std::string(json_fault_name(check.fault)));
  }
  HOLDFAST_LET(root, open_document(doc, path));
  const std::string_view value = JsonView(value_json).raw();
  HOLDFAST_LET(out, set_at(doc, root, path, value));
  // The rest of the document is within the limit already.
  if (json_value_end(value, 0, path.size()) == std::string_view::npos) {
    return fail(Code::too_large, "the edited document would nest too deeply");
  }
  return out;
}

Result<std::string> json_remove(std::string_view doc, JsonPath path) {
  if (path.empty()) return fail(Code::invalid_argument, "the whole document cannot be removed from itself");
  HOLDFAST_LET(target, open_document(doc, path));
  for (; path.size() > 1; path = path.subspan(1)) {
    HOLDFAST_LET(level, look(target, path.front()));
    if (!level.match) return std::string(doc);
    target = level.match;
  }
  HOLDFAST_LET(level, look(target, path.front()));
  if (!level.match) return std::string(doc);
  return cut_items(doc, target, path.front());
}

}  // namespace holdfast::inline v1
