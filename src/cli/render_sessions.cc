#include "cli/render_sessions.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/columns.h"
#include "cli/render_cells.h"
#include "layout/json_pick.h"
#include "model/when.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kGap = 2, kLeastTitle = 16, kShortest = 8;

// What stands out: what runs, and what did not end well.
std::string_view colour_of_status(std::string_view status) {
  if (status == "running") return "32";
  if (status == "failed") return "31";
  return status == "interrupted" ? "33" : std::string_view();
}

std::string title_or_prompt(JsonView title, JsonView first_prompt) {
  std::string text = line_of(title, 1000);
  return text.find_first_not_of(' ') == std::string::npos ? line_of(first_prompt, 1000) : text;
}

}  // namespace

std::string session_title(JsonView session) {
  const auto [title, first_prompt] = pick<2>(session, {"title", "first_prompt"});
  return title_or_prompt(title, first_prompt);
}

std::string short_age(std::string_view iso, std::chrono::system_clock::time_point now) {
  const auto then = parse_when(iso);
  if (!then) return "";
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(now - *then).count();
  if (minutes < 1 && minutes > -60) return "now";
  if (minutes < 0) return std::string(iso.substr(0, 10));  // a clock that is ahead of ours
  if (minutes < 60) return fmt::format("{}m ago", minutes);
  if (minutes < 48 * 60) return fmt::format("{}h ago", minutes / 60);
  return minutes < 30 * 24 * 60 ? fmt::format("{}d ago", minutes / (24 * 60)) : std::string(iso.substr(0, 10));
}

std::vector<std::string> short_ids(const std::vector<std::string>& ids, std::size_t least) {
  std::vector<std::string> sorted = ids;
  std::ranges::sort(sorted);
  std::vector<std::string> all;
  for (const std::string& id : ids) {
    std::size_t needed = least;
    const auto at = std::ranges::lower_bound(sorted, id);
    const auto differs_at = [&](const std::string& other) {
      const auto [mine, its] = std::ranges::mismatch(id, other);
      needed = std::max(needed, static_cast<std::size_t>(mine - id.begin()) + 1);
    };
    if (at != sorted.begin()) differs_at(*(at - 1));
    if (const auto next = std::ranges::upper_bound(sorted, id); next != sorted.end()) differs_at(*next);
    while (needed < id.size() && (static_cast<unsigned char>(id[needed]) & 0xC0) == 0x80) ++needed;
    all.push_back(id.substr(0, needed));
  }
  return all;
}

SessionScreen::SessionScreen(const RenderStyle& style, std::chrono::system_clock::time_point now)
    : style_(style), now_(now), columns_{{"id", 40, 0},      {"updated", 10, 0},  {"agent", 11, 50},
                                         {"status", 11, 64}, {"prompts", 7, 100}, {"project", 30, 100},
                                         {"title", 0, 0}} {}

void SessionScreen::add(JsonView session) {
  const auto [id, updated_at, layout, status, counts, project, title, first_prompt] =
      pick<8>(session, {"id", "updated_at", "layout", "status", "counts", "project", "title", "first_prompt"});
  columns_[0].cells.push_back(line_of(id));
  columns_[1].cells.push_back(short_age(updated_at.as_string().value_or(""), now_));
  columns_[2].cells.push_back(line_of(layout));
  columns_[3].cells.push_back(line_of(status));
  const auto prompts = counts.find("user").as_int64();
  columns_[4].cells.push_back(prompts ? std::to_string(*prompts) : "");
  columns_[5].cells.push_back(fit_end(line_of(project, 1000), columns_[5].most));
  columns_[6].cells.push_back(title_or_prompt(title, first_prompt));
}

std::string SessionScreen::line_at(std::size_t row, bool head) const {
  std::string line;
  for (const Column& column : columns_) {
    if (column.width == 0) continue;
    const bool last = &column == &columns_.back();
    const std::string_view cell = head ? column.name : std::string_view(column.cells[row]);
    std::string shown = last ? fit_columns(cell, column.width) : pad_columns(cell, column.width);
    if (style_.colour && !head && column.name == "status")
      shown = painted(!colour_of_status(cell).empty(), colour_of_status(cell), shown);
    if (style_.colour && !head && column.name == "id") shown = painted(true, "36", shown);
    line += shown;
    if (!last) line.append(kGap, ' ');
  }
  while (line.ends_with(' ')) line.pop_back();
  line = fit_columns(line, style_.width);
  return (head && style_.colour ? painted(true, "1", line) : line + (style_.colour ? "\x1b[0m" : "")) + "\n";
}

std::string SessionScreen::text(JsonView answer) {
  const std::size_t rows = columns_[0].cells.size();
  if (rows == 0) return "no session found\n";
  columns_[0].cells = short_ids(columns_[0].cells, kShortest);
  std::size_t used = 0;
  for (Column& column : columns_) {
    if (style_.width < column.from_width) continue;
    for (const std::string& cell : column.cells) column.width = std::max(column.width, shown_width(cell));
    if (column.width > 0) column.width = std::max(column.width, column.name.size());
    if (column.most > 0) column.width = std::min(column.width, column.most);
    if (column.most > 0 && column.width > 0) used += column.width + kGap;
  }
  Column& title = columns_.back();
  title.width = std::min(title.width, style_.width > used + kLeastTitle ? style_.width - used : kLeastTitle);
  std::string out = line_at(0, true);
  for (std::size_t row = 0; row < rows; ++row) out += line_at(row, false);
  const auto [next, total] = pick<2>(answer, {"next", "total"});
  if (next && !next.is_null())
    out += fmt::format("\n{} in all; the next with --skip {}, all with --limit {}\n", total.raw(), next.raw(),
                       total.raw());
  return out;
}

std::string render_sessions(JsonView answer, const RenderStyle& style, std::chrono::system_clock::time_point now) {
  SessionScreen screen(style, now);
  for (const JsonItem& item : answer.find("sessions").elements()) screen.add(item.value);
  return screen.text(answer);
}

void add_name_with_zero(std::string& out, JsonView session) {
  const auto [id, layout] = pick<2>(session, {"id", "layout"});
  const std::string name = id.as_string().value_or("");
  if (name.find('\0') == std::string::npos) (out += layout.as_string().value_or("") + "/" + name) += '\0';
}

}  // namespace holdfast::inline v1
