#include "cli/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "cli/columns.h"
#include "cli/render_find.h"
#include "cli/render_sessions.h"
#include "cli/render_verify.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidestCell = 200, kWidestValue = 4096;  // bytes
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeast = 10;  // columns that a text keeps when it gives way

std::string cell(JsonView value, std::size_t most = kWidestCell) {
  if (!value || value.is_null()) return "";
  const std::string text = value.as_string().value_or(std::string(value.raw()));
  return clean_for_terminal(text, {.one_line = true, .max_bytes = most});
}

std::string first_text(JsonView message) {
  for (const JsonItem& block : message.find("blocks").elements()) {
    const JsonView value = block.value;
    for (const std::string_view key : {"text", "name", "output"}) {
      if (const JsonView text = value.find(key)) return cell(text);
    }
  }
  return "";
}

struct Columns {
  std::string_view list;
  std::vector<std::string_view> names;
};

std::vector<std::string_view> columns_for(std::string_view list, JsonView first) {
  static const std::vector<Columns> known{
      {"sessions", {"id", "updated_at", "status", "layout", "title"}},
      {"messages", {"ordinal", "role", "timestamp", "text"}},
      {"stores", {"layout", "sessions", "bytes", "root"}},
      {"findings", {"file", "offset", "length", "kind", "consequence"}},
      {"runs", {"id", "agent_id", "status", "started_at", "ended_at", "detail"}},
      {"items", {"status", "title", "description"}},
  };
  for (const Columns& columns : known) {
    if (columns.list == list) return columns.names;
  }
  std::vector<std::string_view> names;
  for (const JsonItem& field : first.fields()) {
    const JsonKind kind = field.value.kind();
    if (!field.key_is("schema_version") && kind != JsonKind::object && kind != JsonKind::array && names.size() < 5)
      names.push_back(field.raw_key.substr(1, field.raw_key.size() - 2));
  }
  return names;
}

// A cut id is of no use; of a path the end tells most.
bool is_id(std::string_view column) { return column == "id" || column.ends_with("_id"); }
bool is_path(std::string_view column) {
  static constexpr std::array<std::string_view, 5> paths = {"root", "path", "file", "project", "store"};
  return std::ranges::find(paths, column) != paths.end();
}

std::string value_in(JsonView row, std::string_view list, std::string_view column) {
  if (list == "messages" && column == "text") return first_text(row);
  const JsonView value = row.find(column);
  if (list == "sessions" && column == "title" && (!value || value.is_null())) return cell(row.find("first_prompt"));
  return cell(value, is_id(column) || is_path(column) ? kWidestValue : kWidestCell);
}

// Until a row fits into `room`, its widest text gives way, down to the next widest and so on.
void give_way(std::vector<std::size_t>& widths, const std::vector<std::string_view>& names, std::size_t room) {
  while (true) {
    std::size_t used = kGap * (widths.size() - 1), widest = widths.size(), next = kLeast;
    for (std::size_t i = 0; i < widths.size(); ++i) used += widths[i];
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!is_id(names[i]) && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (used <= room || widest == widths.size() || widths[widest] <= kLeast) return;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!is_id(names[i]) && widths[i] < widths[widest]) next = std::max(next, widths[i]);
    }
    const std::size_t too_much = used - room, step = std::max<std::size_t>(1, widths[widest] - next);
    widths[widest] -= std::min(too_much, step);
  }
}

std::string table(std::string_view list, JsonView array, const RenderStyle& style) {
  std::vector<std::vector<std::string>> rows;
  const auto names = columns_for(list, array.elements().begin()->value);
  rows.emplace_back(names.begin(), names.end());
  for (const JsonItem& item : array.elements()) {
    auto& row = rows.emplace_back();
    for (const auto name : names) row.push_back(value_in(item.value, list, name));
  }
  std::vector<std::size_t> widths(names.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  if (style.width > 0) give_way(widths, names, style.width);
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string& text = rows[r][i];
      const bool end = shown_width(text) > widths[i] && is_path(names[i]);
      line += pad_columns(end ? fit_end(text, widths[i]) : text, widths[i]) + std::string(kGap, ' ');
    }
    while (line.ends_with(' ')) line.pop_back();
    if (style.width > 0) line = fit_columns(line, style.width);
    out += r == 0 && style.colour ? "\x1b[1m" + line + "\x1b[0m\n" : line + "\n";
  }
  return out;
}

bool is_table(JsonView value) {
  const auto items = value.elements();
  return items.begin() != items.end() && items.begin()->value.kind() == JsonKind::object;
}

// Names and values of an object, then of those inside it; tables go to the end.
void lines(std::string& out, std::string& tables, JsonView object, std::string_view before, const RenderStyle& style) {
  for (const JsonItem& field : object.fields()) {
    const std::string name = std::string(before) + field.key();
    if (field.key_is("schema_version") || field.value.is_null() || field.value.raw() == "0") continue;
    if (is_table(field.value))
      tables += "\n" + table(field.key(), field.value, style);
    else if (field.value.kind() == JsonKind::object)
      lines(out, tables, field.value, name + ".", style);
    else if (field.value.raw() != "[]")
      out += fmt::format("{}: {}\n", clean_for_terminal(name, {.one_line = true}), cell(field.value, kWidestValue));
  }
}

// An answer about one thing is shown as that thing: {"id":…,"session":{…}}.
JsonView thing_of(JsonView answer) {
  for (const JsonItem& field : answer.fields()) {
    if (field.value.kind() == JsonKind::object) return field.value;
  }
  return answer;
}

std::string about_one(JsonView answer, const RenderStyle& style) {
  std::string out;
  std::string tables;
  const JsonView thing = thing_of(answer);
  lines(out, tables, thing, "", style);
  if (thing.raw() != answer.raw()) {
    if (const JsonView kept = answer.find("kept_verbatim"); kept && kept.raw() != "0")
      out += fmt::format("kept_verbatim: {} that this version has no word for\n", cell(kept));
    for (const JsonItem& field : answer.fields()) {
      if (is_table(field.value)) tables += "\n" + table(field.key(), field.value, style);
    }
  }
  return out + tables;
}

std::string list(JsonView answer, const RenderStyle& style) {
  std::string out;
  for (const JsonItem& field : answer.fields()) {
    if (is_table(field.value)) {
      out += (out.empty() ? "" : "\n") + table(field.key(), field.value, style);
      continue;
    }
    for (const JsonItem& item : field.value.elements()) out += cell(item.value) + "\n";
  }
  if (out.empty()) out = "nothing\n";
  if (const JsonView next = answer.find("next"); next && !next.is_null())
    out += fmt::format("\n{} in all; the next with --skip {}\n", answer.find("total").raw(), next.raw());
  return out;
}

}  // namespace

std::string render(JsonView answer, const RenderStyle& style) {
  if (const auto text = answer.find("text").as_string(); text && answer.find("format"))
    return style.terminal && !answer.find("format").is_string("text") ? clean_for_terminal(*text) : *text;
  // A text that was asked for is the answer.
  for (const JsonView whole : {answer.find("content"), answer.find("research").find("text")}) {
    if (const auto text = whole.as_string()) return (style.terminal ? clean_for_terminal(*text) : *text) + "\n";
  }
  if (answer.find("dry_run").as_bool() == true) return "would " + cell(answer.find("would")) + "\n";
  if (answer.find("done").raw() == "[]") return "nothing to prune\n";
  if (style.width > 0 && answer.find("sessions").kind() == JsonKind::array && answer.find("total"))
    return render_sessions(answer, style, std::chrono::system_clock::now());
  if (answer.find("damage") && answer.find("notes_total")) return render_verify(answer, style);
  if (answer.find("hits")) return render_hits(answer, style);
  if (answer.find("rows") && answer.find("by")) return render_stats(answer, style);
  return answer.find("total") ? list(answer, style) : about_one(answer, style);
}

}  // namespace holdfast::inline v1
