#include "doors/cli/list_table.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/time.h"
#include "doors/cli/columns.h"
#include "doors/cli/local_time.h"
#include "doors/cli/render_cells.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidestValue = 4096;  // bytes
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeast = 10;  // columns that a shortened text keeps
constexpr std::string_view kTheRest = "(more)";

JsonView first_text(JsonView blocks) {
  for (const JsonItem& block : blocks.elements()) {
    const JsonView value = block.value;
    for (const std::string_view key : {"text", "name", "output"}) {
      if (const JsonView text = value.find(key)) return text;
    }
  }
  return {};
}

struct Columns {
  std::string_view list;
  std::vector<std::string_view> names;
};

// The columns that are chosen for a list by its name; empty if there are none.
std::vector<std::string_view> chosen_columns(std::string_view list, JsonView first) {
  static const std::vector<Columns> known{
      {"sessions", {"id", "updated_at", "layout", "status", "title"}},
      {"long_sessions", {"id", "updated_at", "layout", "status", "out", "cost", "title"}},
      {"resumable_sessions", {"id", "updated_at", "module", "phase", "step", "component", "latest"}},
      {"entry_sessions", {"session", "mtime"}},
      {"messages", {"ordinal", "role", "timestamp", "text"}},
      {"stores", {"layout", "sessions", "bytes", "root"}},
      {"findings", {"file", "offset", "length", "kind", "consequence"}},
      {"runs", {"id", "agent_id", "status", "started_at", "ended_at", "detail"}},
      {"tool_runs", {"run_id", "tool", "status"}},
      {"items", {"status", "title", "description"}},
      {"queue_items", {"id", "entity", "entity_id", "op", "status", "attempts", "created_at"}},
      {"workflow_history", {"type", "started", "context", "ended", "end", "outcome"}},
  };
  // Sessions of entries have other fields than sessions.
  if (list == "sessions" && first.find("mtime")) list = "entry_sessions";
  // Plans and the queue both have "items".
  if (list == "items" && first.find("entity")) list = "queue_items";
  // Both agents and tools have "runs".
  if (list == "runs" && first.find("tool")) list = "tool_runs";
  if (list == "history" && first.find("started")) list = "workflow_history";
  for (const Columns& columns : known) {
    if (columns.list == list) return columns.names;
  }
  return {};
}

std::string_view field_name(const JsonItem& field) { return field.raw_key.substr(1, field.raw_key.size() - 2); }

bool fits_a_cell(const JsonItem& field) {
  const JsonKind kind = field.value.kind();
  return !field.key_is("schema_version") && kind != JsonKind::object && kind != JsonKind::array;
}

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The first fields of the first row.
std::vector<std::string_view> columns_of_first(JsonView first) {
  constexpr std::size_t kFromFirst = 5;
  std::vector<std::string_view> names;
  for (const JsonItem& field : first.fields())
    if (fits_a_cell(field) && names.size() < kFromFirst) names.push_back(field_name(field));
  return names;
}

std::vector<std::string_view> columns_for(std::string_view list, JsonView first) {
  std::vector<std::string_view> names = chosen_columns(list, first);
  return names.empty() ? columns_of_first(first) : names;
}

// Whether a field that the first row does not have needs a place.
bool says_something(const JsonItem& field) {
  return fits_a_cell(field) && !field.value.is_null() && field.value.raw() != "\"\"";
}

// Adds what other rows have and the first one has not, in the order in which they come. If there is too much of it,
// the rest shares the last column.
void add_columns_of_others(std::vector<std::string_view>& names, std::span<const std::string_view> in_first,
                           JsonView rows) {
  constexpr std::size_t kMost = 12;
  for (const JsonItem& row : rows.elements()) {
    std::size_t expected = 0;  // most rows have the fields of the first one in its order
    for (const JsonItem& field : row.value.fields()) {
      const std::string_view name = field_name(field);
      if (expected < in_first.size() && in_first[expected] == name) {
        ++expected;
        continue;
      }
      if (!says_something(field) || is_among(in_first, name) || is_among(names, name)) continue;
      if (names.size() == kMost) {
        names.push_back(kTheRest);
        return;
      }
      names.push_back(name);
    }
  }
}

// The column name for people: "updated", "agent".
std::string_view heading(std::string_view list, std::string_view column) {
  if (list.ends_with("sessions") && column == "layout") return "agent";
  if (column == "mtime") return "updated";
  if (list == "sources" && column == "there") return "has state";  // its file may exist and say nothing
  return column.ends_with("_at") ? column.substr(0, column.size() - 3) : column;
}

// The field that replaces a missing title, or from which the text of a message is taken.
std::string_view stand_in(std::string_view list, std::string_view column) {
  if (list == "sessions" && column == "title") return "first_prompt";
  return list == "messages" && column == "text" ? "blocks" : std::string_view();
}

// Items of a plan are indented below their parent.
std::size_t indent_of(JsonView row) {
  constexpr std::int64_t kDeepest = 16;
  return 2 * static_cast<std::size_t>(std::clamp<std::int64_t>(row.find("depth").as_int64().value_or(0), 0, kDeepest));
}

// A cut id is useless, and so is a cut name of a setting; the end of a path is the most useful part.
bool is_id(std::string_view column) { return column == "id" || column == "setting" || column.ends_with("_id"); }
bool is_path(std::string_view column) {
  static constexpr std::array<std::string_view, 6> paths = {"root", "path", "file", "project", "store", "from"};
  return std::ranges::find(paths, column) != paths.end();
}

// Shortens the widest text to the next widest and so on, until a row fits into `room`.
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

}  // namespace

ListTable::ListTable(std::string_view list, JsonView first) : ListTable(columns_for(list, first), list) {}

ListTable::ListTable(std::vector<std::string_view> names, std::string_view list)
    : list_(list), names_(std::move(names)), wanted_(names_), widths_(names_.size()) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::string_view name = names_[i], other = stand_in(list, name);
    if (!other.empty()) wanted_.push_back(other);
    most_.push_back(is_id(name) || is_path(name) ? kWidestValue : kWidestCell);
    const std::size_t begin = texts_.size();
    note(i, begin, append_line(texts_, heading(list, name)));
  }
}

ListTable ListTable::of(std::string_view list, JsonView rows) {
  const auto items = rows.elements();
  if (items.empty()) return ListTable(list, JsonView());
  const JsonView first = items.begin()->value;
  std::vector<std::string_view> names = chosen_columns(list, first), in_first;
  if (names.empty()) {
    names = columns_of_first(first);
    for (const JsonItem& field : first.fields()) in_first.push_back(field_name(field));
    add_columns_of_others(names, in_first, rows);
  }
  ListTable table(std::move(names), list);
  table.in_first_ = std::move(in_first);
  for (const JsonItem& row : items) table.add(row.value);
  return table;
}

// What has no column of its own: "key: value, key: value".
void ListTable::add_rest(std::string& rest, const JsonItem& field) const {
  if (!says_something(field) || is_among(in_first_, field_name(field))) return;
  rest.append(rest.empty() ? "" : ", ").append(field.key()).append(": ").append(cell_of(field.value));
}

// Records a cell whose text begins at `begin` and ends at the end of texts_.
void ListTable::note(std::size_t column, std::size_t begin, std::size_t columns) {
  cells_.push_back({static_cast<std::uint32_t>(texts_.size() - begin), static_cast<std::uint32_t>(columns)});
  widths_[column] = std::max(widths_[column], columns);
}

JsonView ListTable::shown_in(std::size_t column) const {
  const JsonView value = values_[column];
  if (wanted_.size() == names_.size()) return value;
  const std::string_view other = stand_in(list_, names_[column]);
  if (other.empty()) return value;
  const JsonView instead = values_.back();  // no list has more than one
  if (other == "blocks") return first_text(instead);
  return !value || value.is_null() ? instead : value;
}

void ListTable::add(JsonView row) {
  values_.assign(wanted_.size(), {});
  const bool shares = !names_.empty() && names_.back() == kTheRest;
  std::string rest;
  for (const JsonItem& field : row.fields()) {
    const bool plain = field.raw_key.find('\\') == std::string_view::npos;
    const std::string_view name = field_name(field);
    bool shown = false;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (name != wanted_[i] && (plain || !field.key_is(wanted_[i]))) continue;
      values_[i] = field.value;
      shown = true;
    }
    if (shares && !shown) add_rest(rest, field);
  }
  ++lines_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t begin = texts_.size();
    const JsonView value = shown_in(i);
    if (shares && i + 1 == names_.size()) {
      note(i, begin, append_line(texts_, rest, kWidestValue));
    } else if (is_time_field(names_[i]) && value.kind() == JsonKind::string) {
      note(i, begin, append_line(texts_, local_time(value.as_string().value_or("")), most_[i]));
    } else if (const auto milliseconds = value.as_int64(); milliseconds && names_[i] == "mtime") {
      const std::chrono::system_clock::time_point time{std::chrono::milliseconds(*milliseconds)};
      note(i, begin, append_line(texts_, local_time(iso8601(time)), most_[i]));
    } else {
      const std::size_t indent = list_ == "items" && names_[i] == "title" ? indent_of(row) : 0;
      texts_.append(indent, ' ');
      note(i, begin, indent + append_cell(texts_, value, most_[i]));
    }
  }
}

void ListTable::add(std::span<const std::string_view> texts) {
  ++lines_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::size_t begin = texts_.size();
    note(i, begin,
         is_time_field(names_[i]) ? append_line(texts_, local_time(texts[i]), most_[i])
                                  : append_line(texts_, texts[i], most_[i]));
  }
}

std::string ListTable::text(const RenderStyle& style) const {
  std::string all;
  tell(style, [&](std::string_view piece) {
    all += piece;
    return true;
  });
  return all;
}

bool ListTable::tell(const RenderStyle& style, const std::function<bool(std::string_view piece)>& take) const {
  constexpr std::size_t kPiece = 64 << 10;  // approximate bytes per piece
  std::vector<std::size_t> widths = widths_;
  if (style.width > 0) give_way(widths, names_, style.width);
  std::string out;
  std::string_view rest = texts_;
  for (std::size_t line = 0; line < lines_; ++line) {
    const std::size_t begin = out.size();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Cell& cell = cells_[line * names_.size() + i];
      const std::string_view text = rest.substr(0, cell.bytes);
      rest.remove_prefix(cell.bytes);
      if (cell.columns > widths[i])
        out += is_path(names_[i]) ? pad_columns(fit_end(text, widths[i]), widths[i]) : pad_columns(text, widths[i]);
      else
        out.append(text).append(widths[i] - cell.columns, ' ');
      out.append(kGap, ' ');
    }
    while (out.size() > begin && out.back() == ' ') out.pop_back();
    // A character never takes more columns than bytes.
    if (style.width > 0 && out.size() - begin > style.width)
      out.replace(begin, std::string::npos, fit_columns(std::string_view(out).substr(begin), style.width));
    if (line == 0 && style.colour) out.insert(begin, "\x1b[1m").append("\x1b[0m");
    out += '\n';
    if (out.size() < kPiece) continue;
    if (!take(out)) return false;
    out.clear();
  }
  return out.empty() || take(out);
}

}  // namespace holdfast::inline v1
