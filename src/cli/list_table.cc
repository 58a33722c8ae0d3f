#include "cli/list_table.h"

#include <algorithm>
#include <array>

#include "cli/columns.h"
#include "cli/render_cells.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidestValue = 4096;  // bytes
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeast = 10;  // columns that a text keeps when it gives way

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

// What is shown where a row has no title, and out of which its text is taken.
std::string_view stand_in(std::string_view list, std::string_view column) {
  if (list == "sessions" && column == "title") return "first_prompt";
  return list == "messages" && column == "text" ? "blocks" : std::string_view();
}

// A cut id is of no use; of a path the end tells most.
bool is_id(std::string_view column) { return column == "id" || column.ends_with("_id"); }
bool is_path(std::string_view column) {
  static constexpr std::array<std::string_view, 5> paths = {"root", "path", "file", "project", "store"};
  return std::ranges::find(paths, column) != paths.end();
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

}  // namespace

ListTable::ListTable(std::string_view list, JsonView first) : list_(list), names_(columns_for(list, first)) {
  wanted_ = names_;
  for (const std::string_view name : names_) {
    if (const std::string_view other = stand_in(list, name); !other.empty()) wanted_.push_back(other);
    widths_.push_back(shown_width(name));
    all_.push_back({cells_.size(), name.size(), widths_.back()});
    cells_ += name;
  }
}

void ListTable::add_cell(std::size_t column, JsonView value) {
  const std::string_view name = names_[column];
  std::size_t most = is_id(name) || is_path(name) ? kWidestValue : kWidestCell;
  if (const std::string_view other = stand_in(list_, name); !other.empty()) {
    const JsonView instead = values_[names_.size()];  // no list has two of them
    if (other == "blocks") {
      value = first_text(instead);
    } else if (!value || value.is_null()) {
      value = instead;
    }
    most = kWidestCell;
  }
  const std::size_t begin = cells_.size();
  const std::size_t columns = append_cell(cells_, value, most);
  all_.push_back({begin, cells_.size() - begin, columns});
  widths_[column] = std::max(widths_[column], columns);
}

void ListTable::add(JsonView row) {
  values_.assign(wanted_.size(), {});
  for (const JsonItem& field : row.fields()) {
    const bool plain = field.raw_key.find('\\') == std::string_view::npos;
    const std::string_view name = field.raw_key.substr(1, field.raw_key.size() - 2);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (plain ? name == wanted_[i] : field.key_is(wanted_[i])) values_[i] = field.value;
    }
  }
  ++lines_;
  for (std::size_t i = 0; i < names_.size(); ++i) add_cell(i, values_[i]);
}

void ListTable::append_line(std::string& out, std::size_t row, const std::vector<std::size_t>& widths) const {
  const std::size_t begin = out.size();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Cell& cell = all_[row * names_.size() + i];
    if (cell.columns > widths[i]) {
      const std::string_view text = text_of(cell);
      out += pad_columns(is_path(names_[i]) ? fit_end(text, widths[i]) : text, widths[i]);
    } else {
      out.append(text_of(cell)).append(widths[i] - cell.columns, ' ');
    }
    out.append(kGap, ' ');
  }
  while (out.size() > begin && out.back() == ' ') out.pop_back();
}

std::string ListTable::text(const RenderStyle& style) const {
  std::vector<std::size_t> widths = widths_;
  if (style.width > 0) give_way(widths, names_, style.width);
  std::string out;
  for (std::size_t row = 0; row < lines_; ++row) {
    const std::size_t begin = out.size();
    append_line(out, row, widths);
    // No character takes more columns than bytes.
    if (style.width > 0 && out.size() - begin > style.width)
      out.replace(begin, std::string::npos, fit_columns(std::string_view(out).substr(begin), style.width));
    if (row == 0 && style.colour) out.insert(begin, "\x1b[1m").append("\x1b[0m");
    out += '\n';
  }
  return out;
}

}  // namespace holdfast::inline v1
