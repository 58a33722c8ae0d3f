#include "cli/render_sessions.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/columns.h"
#include "cli/render_cells.h"
#include "model/when.h"
#include "text/clean.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kGap = 2, kLeastTitle = 16, kShortest = 8;

struct Column {
  std::string_view name;
  std::size_t most;        // columns
  std::size_t from_width;  // shown on terminals at least so wide
  std::vector<std::string> cells = {};
  std::size_t width = 0;
};

// What stands out: what runs, and what did not end well.
std::string_view colour_of_status(std::string_view status) {
  if (status == "running") return "32";
  if (status == "failed") return "31";
  return status == "interrupted" ? "33" : std::string_view();
}

std::vector<Column> columns_of(const std::vector<JsonView>& sessions, std::chrono::system_clock::time_point now) {
  std::vector<Column> all{{"id", 40, 0},       {"updated", 10, 0},   {"agent", 11, 50}, {"status", 11, 64},
                          {"prompts", 7, 100}, {"project", 30, 100}, {"title", 0, 0}};
  std::vector<std::string> ids;
  for (const JsonView& session : sessions) ids.push_back(line_of(session.find("id")));
  all[0].cells = short_ids(ids, kShortest);
  for (const JsonView& session : sessions) {
    all[1].cells.push_back(short_age(session.find("updated_at").as_string().value_or(""), now));
    all[2].cells.push_back(line_of(session.find("layout")));
    all[3].cells.push_back(line_of(session.find("status")));
    const auto prompts = session.find("counts").find("user").as_int64();
    all[4].cells.push_back(prompts ? std::to_string(*prompts) : "");
    all[5].cells.push_back(fit_end(line_of(session.find("project"), 1000), all[5].most));
    all[6].cells.push_back(session_title(session));
  }
  return all;
}

}  // namespace

std::string session_title(JsonView session) {
  std::string title = line_of(session.find("title"), 1000);
  return title.find_first_not_of(' ') == std::string::npos ? line_of(session.find("first_prompt"), 1000) : title;
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

std::string render_sessions(JsonView answer, const RenderStyle& style, std::chrono::system_clock::time_point now) {
  std::vector<JsonView> sessions;
  for (const JsonItem& item : answer.find("sessions").elements()) sessions.push_back(item.value);
  if (sessions.empty()) return "no session found\n";
  std::vector<Column> columns = columns_of(sessions, now);
  std::size_t used = 0;
  for (Column& column : columns) {
    if (style.width < column.from_width) continue;
    for (const std::string& cell : column.cells) column.width = std::max(column.width, shown_width(cell));
    if (column.width > 0) column.width = std::max(column.width, column.name.size());
    if (column.most > 0) column.width = std::min(column.width, column.most);
    if (column.most > 0 && column.width > 0) used += column.width + kGap;
  }
  Column& title = columns.back();
  title.width = std::min(title.width, style.width > used + kLeastTitle ? style.width - used : kLeastTitle);
  const auto line_at = [&](std::size_t row, bool head) {
    std::string line;
    for (const Column& column : columns) {
      if (column.width == 0) continue;
      const std::string cell = head ? std::string(column.name) : column.cells[row];
      std::string shown = &column == &title ? fit_columns(cell, column.width) : pad_columns(cell, column.width);
      if (style.colour && !head && column.name == "status")
        shown = painted(!colour_of_status(cell).empty(), colour_of_status(cell), shown);
      if (style.colour && !head && column.name == "id") shown = painted(true, "36", shown);
      line += shown + (&column == &title ? "" : std::string(kGap, ' '));
    }
    while (line.ends_with(' ')) line.pop_back();
    line = fit_columns(line, style.width);
    return (head && style.colour ? painted(true, "1", line) : line + (style.colour ? "\x1b[0m" : "")) + "\n";
  };
  std::string out = line_at(0, true);
  for (std::size_t row = 0; row < sessions.size(); ++row) out += line_at(row, false);
  if (const JsonView next = answer.find("next"); next && !next.is_null())
    out += fmt::format("\n{} in all; the next with --skip {}, all with --limit {}\n", answer.find("total").raw(),
                       next.raw(), answer.find("total").raw());
  return out;
}

std::string names_with_zeros(JsonView answer) {
  std::string out;
  for (const JsonItem& item : answer.find("sessions").elements()) {
    const std::string id = item.value.find("id").as_string().value_or("");
    if (id.find('\0') != std::string::npos) continue;
    out += item.value.find("layout").as_string().value_or("") + "/" + id + '\0';
  }
  return out;
}

}  // namespace holdfast::inline v1
