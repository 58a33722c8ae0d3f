#include "doors/cli/print_sessions.h"

#include <chrono>
#include <deque>
#include <ranges>

#include "api/guarded.h"
#include "doors/cli/list_table.h"
#include "doors/cli/render_sessions.h"

namespace holdfast::inline v1 {
namespace {

// For people: with its star and tags.
std::string marked_title(const SessionView& row, const SessionNote& note) {
  std::string title = note.starred ? "* " : "";
  title += row.title.empty() ? row.first_prompt : row.title;
  for (const std::string& tag : note.tags) title.append(" #").append(tag);
  return title;
}

// Titles with the marks that people and machines added; must live as long as the views of them.
using Titles = std::deque<std::string>;

// A row of the page, its depth below another row, and whether to show its branches.
struct Line {
  std::size_t row = 0, depth = 0;
  bool tells = false;
};

// The rows as people see them: branches of one session below the most recently changed one, each with its own children.
std::vector<Line> lines_of(const ListedSessions& sessions) {
  std::vector<Line> lines;
  std::vector<bool> seen(sessions.size());
  const auto add = [&](std::size_t row, std::size_t below, bool tells) {
    const std::size_t top = sessions.depth(row);
    do {
      seen[row] = true;
      lines.push_back({row, sessions.depth(row) + below, tells});
      tells = false;
      ++row;
    } while (row < sessions.size() && !seen[row] && sessions.depth(row) > top);
  };
  for (std::size_t row = 0; row < sessions.size(); ++row) {
    if (seen[row]) continue;
    const auto branches = sessions.branches(row);
    add(row, 0, !branches.empty());
    for (const auto& branch : branches)
      if (branch.row < sessions.size() && !seen[branch.row] && sessions.depth(branch.row) == 0)
        add(branch.row, 1, false);
  }
  return lines;
}

// "[2 branches: here, laptop] "; names machines and agents only if they differ.
std::string branch_mark(const std::vector<ListedSessions::Branch>& branches) {
  const auto& first = branches.front();
  bool machines = false, agents = false;
  for (const auto& branch : branches) {
    machines = machines || branch.machine != first.machine;
    agents = agents || branch.session.layout != first.session.layout;
  }
  const std::string count = "[" + std::to_string(branches.size()) + " branches";
  if (!machines && !agents) return count + "] ";
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (const auto& branch : branches | std::views::take(kNamed)) {
    const std::string machine(branch.machine.empty() ? "here" : branch.machine), agent(branch.session.layout);
    std::string more = agents ? agent : "";
    if (!branch.here) more += more.empty() ? "not here" : ", not here";
    text += text.empty() ? "" : ", ";
    text += !machines && agents && branch.here ? agent : machine;
    if (!more.empty() && (machines || !branch.here)) text.append(" (").append(more).append(")");
  }
  if (branches.size() > kNamed) text += ", …";
  return count + ": " + text + "] ";
}

template <typename Take>
void each_row(const ListedSessions& sessions, Titles& titles, const Take& take) {
  SessionView row;
  for (const auto& [i, depth, tells] : lines_of(sessions)) {
    sessions.view(i, row);
    if (const SessionNote* const note = sessions.note(row)) row.title = titles.emplace_back(marked_title(row, *note));
    bool here = true;
    const std::string_view machine = sessions.machine(i, here);
    std::string before = depth > 0 ? std::string(2 * (depth - 1), ' ') + "└ " : "";
    if (tells)
      before += branch_mark(sessions.branches(i));
    else if (!machine.empty())
      before += "[" + std::string(machine) + (here ? "] " : ", not here] ");
    if (!before.empty())
      row.title = titles.emplace_back(before.append(row.title.empty() ? row.first_prompt : row.title));
    take(row, sessions.cost(i));
  }
}

std::string names_of(const ListedSessions& sessions) {
  std::string out;
  Titles titles;
  each_row(sessions, titles, [&](const SessionView& row, const SessionCost*) { append_nul_terminated_name(out, row); });
  return out;
}

std::string for_screen(const ListedSessions& sessions, const RenderStyle& style) {
  SessionScreen screen(style, std::chrono::system_clock::now());
  Titles titles;
  each_row(sessions, titles, [&](const SessionView& row, const SessionCost* cost) { screen.add(row, cost); });
  screen.set_other_ids(sessions.ids());
  return screen.text();
}

void as_table(const ListedSessions& sessions, const RenderStyle& style, const OutputSink& write) {
  const bool costs = sessions.size() > 0 && sessions.cost(0) != nullptr;
  ListTable table(costs ? "long_sessions" : "sessions", {});
  Titles titles;
  each_row(sessions, titles, [&](const SessionView& row, const SessionCost* cost) {
    cost == nullptr ? add_session(table, row) : add_long_session(table, row, *cost);
  });
  if (!table.empty() && !table.tell(style, write)) return;
  write(render_rest(!table.empty(), JsonView(sessions.frame()), style));
}

}  // namespace

Result<void> print_sessions(const ListedSessions& sessions, const ListStyle& style, const OutputSink& write) {
  return guarded([&]() -> Result<void> {
    if (style.names) {
      write(names_of(sessions));
    } else if (style.json) {
      if (sessions.tell(write)) write("\n");
    } else if (style.render.width > 0) {
      write(for_screen(sessions, style.render));
    } else {
      as_table(sessions, style.render, write);
    }
    return {};
  });
}

}  // namespace holdfast::inline v1
