#include "doors/cli/render_sessions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/time.h"
#include "doors/cli/columns.h"
#include "doors/cli/local_time.h"
#include "doors/cli/render_cells.h"
#include "text/utf8.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kGap = 2, kLeastTitle = 16, kShortest = 8;
constexpr std::size_t kWidest = 1000;  // bytes of a title or a path

// Highlights what is running, and what did not end well.
std::string_view colour_of_status(std::string_view status) {
  if (status == "running") return "32";
  if (status == "failed") return "31";
  return status == "interrupted" ? "33" : std::string_view();
}

std::string line_of(std::string_view text, std::size_t most = kWidestCell) {
  std::string line;
  append_line(line, text, most);
  return line;
}

std::string title_or_prompt(std::string_view title, std::string_view first_prompt) {
  std::string text = line_of(title, kWidest);
  return text.find_first_not_of(' ') == std::string::npos ? line_of(first_prompt, kWidest) : text;
}

}  // namespace

std::string session_title(JsonView session) {
  const auto text = [&](std::string_view key) { return session.find(key).as_string().value_or(""); };
  return title_or_prompt(text("title"), text("first_prompt"));
}

std::string short_age(std::string_view iso, std::chrono::system_clock::time_point now) {
  const auto then = parse_iso8601(iso);
  if (!then) return "";
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(now - *then).count();
  if (minutes < 1 && minutes > -60) return "now";
  if (minutes < 0) return local_day(iso);  // a clock ahead of ours
  if (minutes < 60) return fmt::format("{}m ago", minutes);
  if (minutes < 48 * 60) return fmt::format("{}h ago", minutes / 60);
  return minutes < 30 * 24 * 60 ? fmt::format("{}d ago", minutes / (24 * 60)) : local_day(iso);
}

std::vector<std::string> short_ids(const std::vector<std::string>& ids, std::size_t least,
                                   const std::vector<std::string>& others) {
  const auto before_key = [](const std::string& id) { return id.substr(0, id.find('@')); };
  std::vector<std::string> sorted;
  for (const auto* list : {&ids, &others}) std::ranges::transform(*list, std::back_inserter(sorted), before_key);
  std::ranges::sort(sorted);
  std::vector<std::string> all;
  for (const std::string& name : ids) {
    const std::string id = before_key(name);
    std::size_t needed = least;
    const auto at = std::ranges::lower_bound(sorted, id);
    const auto differs_at = [&](const std::string& other) {
      const auto [mine, its] = std::ranges::mismatch(id, other);
      needed = std::max(needed, static_cast<std::size_t>(mine - id.begin()) + 1);
    };
    if (at != sorted.begin()) differs_at(*(at - 1));
    if (const auto next = std::ranges::upper_bound(sorted, id); next != sorted.end()) differs_at(*next);
    while (needed < id.size() && (static_cast<unsigned char>(id[needed]) & 0xC0) == 0x80) ++needed;
    all.push_back(id.substr(0, needed) + name.substr(id.size()));
  }
  return all;
}

SessionScreen::SessionScreen(const RenderStyle& style, std::chrono::system_clock::time_point now)
    : style_(style), now_(now), columns_{{"id", 16, 0},      {"updated", 10, 0},  {"agent", 11, 50},
                                         {"status", 11, 64}, {"prompts", 7, 100}, {"project", 30, 100},
                                         {"out", 8, 0},      {"cost", 9, 0},      {"title", 0, 0}} {}

void SessionScreen::add(const Row& row) {
  columns_[0].cells.push_back(line_of(row.id, kWidest));
  columns_[1].cells.push_back(short_age(row.updated_at, now_));
  columns_[2].cells.push_back(line_of(row.layout));
  columns_[3].cells.push_back(line_of(row.status));
  columns_[4].cells.push_back(row.prompts ? std::to_string(*row.prompts) : "");
  columns_[5].cells.push_back(fit_end(line_of(row.project, kWidest), columns_[5].most));
  columns_[6].cells.push_back(row.out);
  columns_[7].cells.push_back(row.cost);
  columns_[8].cells.push_back(title_or_prompt(row.title, row.first_prompt));
}

void SessionScreen::add(JsonView session) {
  constexpr std::array kKeys{"id", "updated_at", "layout", "status", "project", "title", "first_prompt"};
  std::array<std::string, kKeys.size()> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = session.find(kKeys[i]).as_string().value_or("");
  add(Row{.id = texts[0],
          .updated_at = texts[1],
          .layout = texts[2],
          .status = texts[3],
          .project = texts[4],
          .title = texts[5],
          .first_prompt = texts[6],
          .prompts = session.find("counts").find("user").as_int64()});
}

void SessionScreen::add(const SessionView& session, const SessionCost* cost) {
  add(Row{.id = session.id,
          .updated_at = session.updated_at,
          .layout = session.layout,
          .status = status_name(session.status),
          .project = session.project,
          .title = session.title,
          .first_prompt = session.first_prompt,
          .prompts = session.counted ? std::optional(session.counts.user) : std::nullopt,
          .out = cost == nullptr ? std::string() : std::to_string(session.usage.output),
          .cost = cost == nullptr ? std::string() : cost->text()});
}

std::string SessionScreen::line_at(std::size_t row, bool head) const {
  std::string line, above;
  for (const Column& column : columns_) {
    if (column.width == 0) continue;
    const bool last = &column == &columns_.back();
    std::string_view cell = head ? column.name : std::string_view(column.cells[row]);
    // A long id is never cut. It gets a line of its own, and the other columns stay where they are.
    if (column.name == "id" && shown_width(cell) > column.width) {
      above = painted(style_.colour, "36", std::string(cell)) + "\n";
      cell = {};
    }
    std::string shown = last ? fit_columns(cell, column.width) : pad_columns(cell, column.width);
    if (style_.colour && !head && column.name == "status")
      shown = painted(!colour_of_status(cell).empty(), colour_of_status(cell), shown);
    if (style_.colour && !head && column.name == "id" && !cell.empty()) shown = painted(true, "36", shown);
    line += shown;
    if (!last) line.append(kGap, ' ');
  }
  while (line.ends_with(' ')) line.pop_back();
  line = fit_columns(line, style_.width);
  return above + (head && style_.colour ? painted(true, "1", line) : line + (style_.colour ? "\x1b[0m" : "")) + "\n";
}

std::string SessionScreen::text() {
  const std::size_t rows = columns_[0].cells.size();
  if (rows == 0) return {};
  columns_[0].cells = short_ids(columns_[0].cells, kShortest, others_);
  std::size_t used = 0;
  for (Column& column : columns_) {
    if (style_.width < column.from_width) continue;
    for (const std::string& cell : column.cells) column.width = std::max(column.width, shown_width(cell));
    if (column.width > 0) column.width = std::max(column.width, column.name.size());
    // A few long ids do not widen the column for all; if most are long, the column is as wide as they are.
    const auto is_long = [&](const std::string& cell) { return shown_width(cell) > column.most; };
    const bool mostly =
        column.name == "id" && std::ranges::count_if(column.cells, is_long) * 2 > std::ssize(column.cells);
    if (column.most > 0 && !mostly) column.width = std::min(column.width, column.most);
    if (column.most > 0 && column.width > 0) used += column.width + kGap;
  }
  Column& title = columns_.back();
  // Ids are never cut. If they are long, other columns are dropped in favor of the title.
  for (const std::size_t number : {5U, 4U, 3U, 2U}) {
    Column& given = columns_[number];
    if (used + std::min(title.width, kLeastTitle) <= style_.width) break;
    if (given.width > 0) used -= std::exchange(given.width, 0) + kGap;
  }
  title.width = std::min(title.width, style_.width > used + kLeastTitle ? style_.width - used : kLeastTitle);
  std::string out = line_at(0, true);
  for (std::size_t row = 0; row < rows; ++row) out += line_at(row, false);
  return out;
}

std::string render_sessions(JsonView answer, const RenderStyle& style, std::chrono::system_clock::time_point now) {
  SessionScreen screen(style, now);
  for (const JsonItem& item : answer.find("sessions").elements()) screen.add(item.value);
  return screen.text();
}

void add_session(ListTable& table, const SessionView& session) {
  const std::string_view title = session.title.empty() ? session.first_prompt : session.title;
  table.add(std::array{session.id, session.updated_at, session.layout, status_name(session.status), title});
}

void add_long_session(ListTable& table, const SessionView& session, const SessionCost& cost) {
  const std::string_view title = session.title.empty() ? session.first_prompt : session.title;
  const std::string out = std::to_string(session.usage.output), spent = cost.text();
  table.add(std::array<std::string_view, 7>{session.id, session.updated_at, session.layout, status_name(session.status),
                                            out, spent, title});
}

void append_nul_terminated_name(std::string& out, const SessionView& session) {
  if (session.id.find('\0') != std::string_view::npos) return;
  append_clean_utf8(out, session.layout);
  out += '/';
  append_clean_utf8(out, session.id);
  out += '\0';
}

}  // namespace holdfast::inline v1
