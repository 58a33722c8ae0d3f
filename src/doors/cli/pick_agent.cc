#include "doors/cli/pick_agent.h"

#include <algorithm>

#include "api/known_layouts.h"
#include "base/sort_stably.h"
#include "doors/cli/picker.h"
#include "doors/cli/raw_terminal.h"

namespace holdfast::inline v1 {
namespace {

constexpr int kPause = 60;  // milliseconds after which a lone ESC is a key

bool is_here(const Stores& stores, std::string_view layout) {
  const auto same = [&](const StoreOptions& one) { return one.layout == layout; };
  if (std::ranges::any_of(stores.defaults(), same)) return true;
  const auto& place_of = stores.settings().place_of;
  return place_of && !place_of(layout).empty();
}

}  // namespace

std::vector<std::string> next_agents(const Stores& stores, const std::string& layout) {
  std::vector<std::string> agents;
  for (const std::string_view name : handoff_target_layouts())
    if (is_here(stores, name)) agents.emplace_back(name);
  sort_stably(agents, [&](const std::string& a, const std::string& b) { return a != layout && b == layout; });
  return agents;
}

Result<AgentChoice> pick_agent(const std::vector<std::string>& layouts, const std::string& session, bool colour) {
  if (layouts.empty())
    return fail(Code::not_found, "no other agent is installed here; run holdfast handoff " + session +
                                     " --to AGENT -o DIR to write the session elsewhere");
  std::vector<PickRow> rows;
  for (const std::string& layout : layouts)
    rows.push_back({.when = {}, .agent = layout, .title = agent_of(layout), .search = agent_of(layout) + " " + layout});
  Picker picker(std::move(rows));
  picker.say("Continue in which agent? · type to filter · enter starts it · esc goes back");
  auto terminal = RawTerminal::open();
  if (!terminal) return fail(Code::invalid_argument, "this needs a terminal; use holdfast handoff instead");
  for (std::string bytes;;) {
    picker.resize(terminal->size().columns, terminal->size().lines);
    terminal->draw(picker.picture({}, colour));
    const auto event = terminal->wait(bytes, bytes.empty() ? -1 : kPause);
    if (event == RawTerminal::Event::stopped) return AgentChoice{.interrupted = true};
    const bool complete = event == RawTerminal::Event::quiet;
    for (std::size_t before = 0; !bytes.empty() && bytes.size() != before;) {
      before = bytes.size();
      const auto outcome = picker.press(take_key(bytes, complete));
      if (outcome == Picker::Outcome::interrupted) return AgentChoice{.interrupted = true};
      if (outcome == Picker::Outcome::leave) return AgentChoice{};
      if (outcome != Picker::Outcome::stay) return AgentChoice{.layout = layouts[picker.chosen()]};
    }
  }
}

}  // namespace holdfast::inline v1
