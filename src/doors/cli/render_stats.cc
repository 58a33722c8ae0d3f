#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "doors/cli/columns.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/render_find.h"
#include "doors/cli/render_sessions.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kShortestKey = 12, kMostOfAKey = 24;
constexpr std::size_t kShortestId = 8, kAgentAndTitle = 16;
constexpr std::size_t kLongestBar = 24, kShortestBar = 7;  // shorter bars would all look alike

std::int64_t figure(JsonView row, std::string_view name) { return row.find(name).as_int64().value_or(0); }

// "99999", "123.4k", "1.2M", "45.6G"
std::string short_figure(std::int64_t number) {
  if (number < 100'000) return std::to_string(number);
  const bool kilo = number < 1'000'000, mega = number < 1'000'000'000;
  const double unit = kilo ? 1e3 : mega ? 1e6 : 1e9;
  return fmt::format("{:.1f}{}", static_cast<double>(number) / unit, kilo ? "k" : mega ? "M" : "G");
}

std::string money(JsonView row) {
  const JsonView recorded = row.find("cost_usd"), estimated = row.find("estimated_usd");
  if (!recorded && !estimated) return {};
  const auto number = [](JsonView value) { return value.as_double().value_or(0); };
  return fmt::format("{}{:.2f}", estimated ? "~" : "", number(recorded) + number(estimated));
}

// One column of the table of figures; the first is the key.
struct Column {
  std::string head;
  std::vector<std::string> cells;
  std::size_t width = 0;

  void add(std::string cell) {
    width = std::max(width, shown_width(cell));
    cells.push_back(std::move(cell));
  }
};

class StatsTable {
 public:
  explicit StatsTable(std::string by) {
    for (const std::string_view head :
         {std::string_view(by), std::string_view("sessions"), std::string_view("prompts"), std::string_view("answers"),
          std::string_view("tools"), std::string_view("in"), std::string_view("written"), std::string_view("cached"),
          std::string_view("out"), std::string_view("cost $")})
      columns_.push_back({.head = std::string(head), .width = shown_width(head)});
  }

  void add(std::string key, JsonView row) {
    const JsonView usage = row.find("usage");
    std::size_t at = 0;
    columns_[at++].add(std::move(key));
    for (const std::string_view name : {"sessions", "prompts", "answers", "tool_calls"})
      columns_[at++].add(std::to_string(figure(row, name)));
    for (const std::string_view name : {"input", "cache_write", "cache_read", "output"})
      columns_[at++].add(short_figure(figure(usage, name)));
    columns_[at++].add(money(row));
    outputs_.push_back(static_cast<double>(figure(usage, "output")));
    costs_.push_back(row.find("cost").as_double().value_or(0));
  }

  // At least this many columns of every key are shown.
  void never_cut(std::size_t columns) { uncut_ = std::max(uncut_, columns); }

  // The last row is the total and has no bar. Without a terminal, names are complete and there are no bars.
  std::string text(const RenderStyle& style) {
    const auto blank = [](const std::string& cell) { return cell.empty(); };
    const bool free = std::ranges::all_of(columns_.back().cells, blank);
    if (free) columns_.pop_back();
    // Bars show the figure by which the rows are sorted.
    const bool by_cost = columns_[0].head == "session" && !free;
    const std::vector<double>& lengths = by_cost ? costs_ : outputs_;
    const std::size_t page = style.width;
    // Counts are dropped before the parts of the cost, in favor of most of the key. Bars get what is left.
    const std::size_t key = std::min(columns_[0].width, std::max(kMostOfAKey, uncut_ + kAgentAndTitle));
    for (const std::string_view least_missed : {"tools", "prompts", "answers", "sessions", "written", "cached", "in"}) {
      if (page == 0 || key + width_of_figures() <= page) break;
      std::erase_if(columns_, [&](const Column& column) { return column.head == least_missed; });
    }
    const std::size_t figures = width_of_figures();
    const std::size_t least = std::min(columns_[0].width, std::max(kShortestKey, uncut_));
    if (page != 0) columns_[0].width = std::clamp(page - std::min(page, figures), least, columns_[0].width);
    const std::size_t taken = columns_[0].width + figures + 2;
    const std::size_t bar = std::min(kLongestBar, page - std::min(page, taken));
    double largest = 0;
    for (std::size_t row = 0; row + 1 < lengths.size(); ++row) largest = std::max(largest, lengths[row]);
    const bool bars = largest > 0 && bar >= kShortestBar;
    std::string head;
    for (const Column& column : columns_) append_cell(head, column, column.head);
    if (bars) head += by_cost ? "  by cost" : "  by out";
    std::string out = painted(style.colour, "1", head) + "\n";
    for (std::size_t row = 0; row < lengths.size(); ++row) {
      std::string line;
      for (const Column& column : columns_) append_cell(line, column, column.cells[row]);
      if (bars && row + 1 < lengths.size() && lengths[row] > 0) {
        line += "  ";
        const auto length = static_cast<std::size_t>(lengths[row] / largest * static_cast<double>(bar));
        for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) line += "█";
      }
      out += line + "\n";
    }
    return out;
  }

 private:
  std::size_t width_of_figures() const {
    std::size_t all = 0;
    for (std::size_t at = 1; at < columns_.size(); ++at) all += columns_[at].width + 2;
    return all;
  }

  // The key is on the left. A long path loses its beginning, because its end says more; a name is kept, so
  // figures are dropped first.
  void append_cell(std::string& line, const Column& column, const std::string& cell) const {
    if (&column == columns_.data()) {
      line += pad_columns(column.head == "project" ? fit_end(cell, column.width) : cell, column.width);
    } else {
      line.append(2 + column.width - shown_width(cell), ' ').append(cell);
    }
  }

  std::vector<Column> columns_;
  std::vector<double> outputs_, costs_;  // of the rows
  std::size_t uncut_ = 0;
};

}  // namespace

std::string render_stats(JsonView answer, const RenderStyle& style) {
  std::vector<std::string> keys;
  for (const JsonItem& row : answer.find("rows").elements()) keys.push_back(line_of(row.value.find("key"), 300));
  if (keys.empty()) return {};
  StatsTable table(line_of(answer.find("by")));
  const bool sessions = answer.find("by").is_string("session");
  // As in ls: a shown id can be pasted.
  if (sessions && style.width > 0)
    keys = short_ids(keys, kShortestId, std::vector<std::string>(style.ids.begin(), style.ids.end()));
  std::size_t at = 0;
  for (const JsonItem& row : answer.find("rows").elements()) {
    std::string key = std::move(keys[at++]);
    if (sessions) table.never_cut(shown_width(key));
    if (const JsonView agent = row.value.find("agent")) {
      constexpr std::size_t kTitle = 40;
      key = fmt::format("{} {} {}", key, line_of(agent, 20),
                        fit_columns(line_of(row.value.find("title"), 200), style.width == 0 ? 200 : kTitle));
    }
    table.add(key.empty() ? "(not known)" : key, row.value);
  }
  table.add("total", answer.find("total"));
  return table.text(style);
}

}  // namespace holdfast::inline v1
