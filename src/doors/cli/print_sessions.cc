#include "doors/cli/print_sessions.h"

#include <chrono>
#include <deque>

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

// Titles with what people and machines add to them; as long as somebody looks at them.
using Titles = std::deque<std::string>;

template <typename Take>
void each_row(const ListedSessions& sessions, Titles& titles, const Take& take) {
  SessionView row;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    sessions.view(i, row);
    if (const SessionNote* const note = sessions.note(row)) row.title = titles.emplace_back(marked_title(row, *note));
    if (const std::size_t depth = sessions.depth(i); depth > 0)
      row.title = titles.emplace_back(std::string(2 * (depth - 1), ' ') + "└ " +
                                      std::string(row.title.empty() ? row.first_prompt : row.title));
    bool here = true;
    if (const std::string_view machine = sessions.machine(i, here); !machine.empty())
      row.title = titles.emplace_back("[" + std::string(machine) + (here ? "] " : ", not here] ") +
                                      std::string(row.title.empty() ? row.first_prompt : row.title));
    take(row, sessions.cost(i));
  }
}

std::string names_of(const ListedSessions& sessions) {
  std::string out;
  Titles titles;
  each_row(sessions, titles, [&](const SessionView& row, const SessionCost*) { add_name_with_zero(out, row); });
  return out;
}

std::string for_screen(const ListedSessions& sessions, const RenderStyle& style) {
  SessionScreen screen(style, std::chrono::system_clock::now());
  Titles titles;
  each_row(sessions, titles, [&](const SessionView& row, const SessionCost* cost) { screen.add(row, cost); });
  screen.tell_apart_from(sessions.ids());
  return screen.text();
}

void as_table(const ListedSessions& sessions, const RenderStyle& style, const TakeText& write) {
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

Result<void> print_sessions(const ListedSessions& sessions, const ListStyle& style, const TakeText& write) {
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
