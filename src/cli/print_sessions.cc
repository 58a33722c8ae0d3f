#include "cli/print_sessions.h"

#include <chrono>

#include "api/guarded.h"
#include "cli/list_table.h"
#include "cli/render_sessions.h"

namespace holdfast::inline v1 {
namespace {

std::string names_of(const ListedSessions& sessions) {
  std::string out;
  for (std::size_t i = 0; i < sessions.size(); ++i) add_name_with_zero(out, JsonView(sessions.brief(i)));
  return out;
}

std::string for_screen(const ListedSessions& sessions, const RenderStyle& style) {
  SessionScreen screen(style, std::chrono::system_clock::now());
  for (std::size_t i = 0; i < sessions.size(); ++i) screen.add(JsonView(sessions.brief(i)));
  return screen.text(JsonView(sessions.frame()));
}

std::string as_table(const ListedSessions& sessions, const RenderStyle& style) {
  ListTable table("sessions", {});
  for (std::size_t i = 0; i < sessions.size(); ++i) table.add(JsonView(sessions.brief(i)));
  return render_listed(sessions.size() == 0 ? std::string() : table.text(style), JsonView(sessions.frame()), style);
}

}  // namespace

Result<void> print_sessions(const ListedSessions& sessions, const ListStyle& style,
                            const std::function<bool(std::string_view text)>& write) {
  return guarded([&]() -> Result<void> {
    if (style.names) {
      write(names_of(sessions));
    } else if (style.json) {
      if (sessions.tell(write)) write("\n");
    } else {
      write(style.render.width > 0 ? for_screen(sessions, style.render) : as_table(sessions, style.render));
    }
    return {};
  });
}

}  // namespace holdfast::inline v1
