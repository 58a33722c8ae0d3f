#include "api/agents.h"

#include <algorithm>

#include "layout/agent_home.h"
#include "layout/belongings.h"
#include "layout/layout.h"

namespace holdfast::inline v1 {
namespace {

std::string home_of(const Machine& machine) { return machine.variable("HOME"); }

std::string below(std::string root, std::string_view name) {
  if (root.empty() || name.empty()) return root;
  return root += "/" + std::string(name);
}

// The root of the project: the nearest directory with the marker, else with .git. In
// the home directory the marker belongs to the agent, not to a project.
std::string project_root(const Machine& machine, std::string_view marker) {
  if (auto found = nearest_with(machine, marker); found && *found != home_of(machine)) return *found;
  return nearest_with(machine, ".git").value_or("");
}

std::string root_of(const Machine& machine, const HomeFolder& place) {
  if (place.folder.empty()) return {};
  switch (place.from) {
    case HomeFolder::From::project: return project_root(machine, place.folder);
    case HomeFolder::From::data: return below(directory_of(machine, "XDG_DATA_HOME", ".local/share"), place.folder);
    case HomeFolder::From::home: break;
  }
  return directory_of(machine, place.variable, place.folder);
}

const AgentHome* home_of_layout(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return known == nullptr ? nullptr : known->home();
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

std::string directory_of(const Machine& machine, std::string_view name, std::string_view fallback) {
  if (std::string value = name.empty() ? std::string() : machine.variable(name); value.starts_with('/')) return value;
  return below(home_of(machine), fallback);
}

std::optional<std::string> nearest_with(const Machine& machine, std::string_view entry) {
  for (std::string at = machine.directory; !at.empty();) {
    if (machine.exists((at == "/" ? "" : at) + "/" + std::string(entry))) return at;
    if (at == "/") break;
    const std::size_t slash = at.rfind('/');
    if (slash == std::string::npos) break;
    at.resize(slash == 0 ? 1 : slash);
  }
  return std::nullopt;
}

std::vector<AgentPlace> agent_places(const Machine& machine) {
  std::vector<AgentPlace> found;
  for (const Layout* layout : layouts()) {
    const AgentHome* const home = layout->home();
    if (home == nullptr) continue;
    const std::string root = root_of(machine, home->place);
    const auto has = [&](std::string_view what) { return machine.exists(below(root, what)); };
    const std::string_view other = home->place.or_needs;
    if (root.empty() || !(has(home->place.needs) || (!other.empty() && has(other)))) continue;
    found.push_back({std::string(layout->name()), root});
  }
  return found;
}

std::vector<AgentPlace> searched_places(const Machine& machine) {
  std::vector<AgentPlace> all;
  for (const Layout* layout : layouts()) {
    const AgentHome* const home = layout->home();
    if (home == nullptr || home->place.from == HomeFolder::From::project) continue;
    if (std::string root = root_of(machine, home->place); !root.empty())
      all.push_back({std::string(layout->name()), std::move(root)});
  }
  return all;
}

std::string agent_place(const Machine& machine, std::string_view layout) {
  const AgentHome* const home = home_of_layout(layout);
  std::string root = home == nullptr ? std::string() : root_of(machine, home->place);
  return !root.empty() && machine.exists(root) ? root : std::string();
}

std::string place_after_move(const Machine& machine, std::string_view layout, std::string_view root) {
  const AgentHome* const agent = home_of_layout(layout);
  const std::string home = home_of(machine);
  if (agent == nullptr || agent->place.folder.empty() || agent->place.from == HomeFolder::From::project ||
      !home.starts_with('/'))
    return {};
  const std::string folder =
      (agent->place.from == HomeFolder::From::data ? "/.local/share/" : "/") + std::string(agent->place.folder);
  std::string now = root_of(machine, agent->place);
  if (!root.ends_with(folder) || root == now) return {};
  if (!root.starts_with(home + "/")) return now;
  // `root` is in this home and no longer exists: a variable now names another place.
  const auto has = [&](std::string_view what) { return machine.exists(below(std::string(root), what)); };
  const bool there = has(agent->place.needs) || (!agent->place.or_needs.empty() && has(agent->place.or_needs));
  return root == home + folder && !there ? now : std::string();
}

std::vector<AgentPlace> places_here(const Machine& machine) {
  const std::string home = home_of(machine);
  for (std::string at = machine.directory; at.starts_with('/');) {
    const std::string inside = at == "/" ? std::string() : at;
    std::vector<AgentPlace> found;
    for (const Layout* layout : layouts()) {
      const AgentHome* const agent = layout->home();
      if (agent == nullptr || at == home) continue;
      const bool marked = std::ranges::any_of(agent->marks, [&](std::string_view mark) {
        return !mark.empty() && machine.exists(inside + "/" + std::string(mark));
      });
      if (!marked) continue;
      std::string root = agent->place.from == HomeFolder::From::project ? at : root_of(machine, agent->place);
      if (machine.exists(root)) found.push_back({std::string(layout->name()), std::move(root)});
    }
    if (machine.exists(inside + "/.holdfast/FORMAT")) found.push_back({"holdfast", inside + "/.holdfast"});
    if (!found.empty() || at == "/") return found;
    const std::size_t slash = at.rfind('/');
    at.resize(slash == 0 ? 1 : slash);
  }
  return {};
}

std::optional<std::string> project_above(const Machine& machine, std::string_view layout) {
  const AgentHome* const home = home_of_layout(layout);
  if (home == nullptr || home->place.from != HomeFolder::From::project) return std::nullopt;
  auto found = nearest_with(machine, home->place.folder);
  if (found && *found == home_of(machine)) return std::nullopt;
  return found;
}

std::vector<ExtraRoot> extra_roots(const Machine& machine) {
  std::vector<ExtraRoot> found;
  for (const Layout* layout : layouts()) {
    const AgentHome* const home = layout->home();
    if (home == nullptr || home->beside.root.empty() || home->beside.below != nullptr) continue;
    std::string path = root_of(machine, home->beside.place);
    if (!path.empty()) found.push_back({std::string(layout->name()), std::string(home->beside.root), std::move(path)});
  }
  return found;
}

std::string extra_root_for(const Machine& machine, std::string_view layout, std::string_view root,
                           const std::string& project) {
  const AgentHome* const home = home_of_layout(layout);
  if (home == nullptr || home->beside.root != root || home->beside.below == nullptr || project.empty()) return {};
  std::string path = below(root_of(machine, home->beside.place), home->beside.below(project));
  return !path.empty() && machine.exists(path) ? path : std::string();
}

namespace {

// Sets the variable that makes the agent use `root`, if it would not by default.
void point_at(AgentCommand& resume, const Machine& machine, const AgentHome& home, const std::string& root) {
  const HomeFolder& place = home.place;
  if (home.resume.names_store || place.folder.empty() || place.from == HomeFolder::From::project ||
      root == root_of(machine, place))
    return;
  const std::string below_data = "/" + std::string(place.folder);
  if (place.from == HomeFolder::From::data && root.ends_with(below_data)) {
    resume.variable = "XDG_DATA_HOME";
    resume.value = root.substr(0, root.size() - below_data.size());
  } else {
    resume.variable = place.variable;
    resume.value = root;
  }
  resume.out_of_reach = resume.variable.empty();
}

// The agent looks for its sessions in the folder of the directory that it runs in.
std::string folder_warning(JsonView session, const AgentHome& home, const std::string& directory) {
  if (home.belongings == nullptr || home.belongings->folder_of == nullptr || directory.empty()) return {};
  SessionPaths paths(*home.belongings, id_for_agent(session));
  if (!paths.add_main(session.find("path").as_string().value_or("")) || paths.project_folder().empty()) return {};
  const auto folder = home.belongings->folder_of(directory);
  const std::string& its = paths.project_folder();
  if (!folder || its.substr(its.rfind('/') + 1) == *folder) return {};
  return "the session is in " + its + ", and its agent looks for the sessions of " + directory + " in " + *folder +
         "; if it finds none, run the command in the directory that the session was moved to";
}

}  // namespace

std::string id_for_agent(JsonView session) {
  std::string id = session.find("id").as_string().value_or("");
  // Where an id may contain an @, it is in the path.
  if (!session.find("path").as_string().value_or("").contains(id)) id.resize(std::min(id.find('@'), id.size()));
  return id;
}

std::optional<AgentCommand> resume_command_for(JsonView session, const Machine& machine) {
  const auto text = [&](std::string_view key) { return session.find(key).as_string().value_or(""); };
  const std::string store = text("store"), project = text("project");
  const AgentHome* const home = home_of_layout(text("layout"));
  if (home == nullptr || home->resume.command.empty()) return std::nullopt;
  const std::size_t colon = store.find(':');
  const std::string root = colon == std::string::npos ? "" : store.substr(colon + 1);
  const std::string file = root + "/" + text("path");
  const std::string what = home->resume.by_file ? file : id_for_agent(session);
  AgentCommand resume{.words = split(home->resume.command), .directory = {}};
  if (home->resume.command.ends_with('='))
    resume.words.back() += what;
  else
    resume.words.push_back(what);
  if (home->resume.names_store) {
    resume.words.emplace_back("--store");
    resume.words.push_back(store);
  }
  if (home->resume.in_project && project.starts_with('/')) resume.directory = project;
  if (!home->resume.by_file) resume.warning = folder_warning(session, *home, resume.directory);
  if (!home->resume.by_file && !root.empty()) point_at(resume, machine, *home, root);
  return resume;
}

AgentCommand import_command_for(JsonView answer, const Machine& machine) {
  const JsonView import = answer.find("import");
  const auto text = [&](std::string_view key) { return import.find(key).as_string().value_or(""); };
  AgentCommand words{.words = split(text("command")), .directory = {}};
  words.words.push_back(answer.find("file").as_string().value_or(""));
  if (const std::string project = text("directory"); project.starts_with('/') && machine.exists(project))
    words.directory = project;
  const std::string store = text("store");
  const AgentHome* const home = home_of_layout(answer.find("layout").as_string().value_or(""));
  if (home != nullptr && store.contains(':')) point_at(words, machine, *home, store.substr(store.find(':') + 1));
  return words;
}

int deletes_after(std::string_view layout, std::string_view settings) {
  const AgentHome* const home = home_of_layout(layout);
  if (home == nullptr || home->retention.days == nullptr) return 0;
  return home->retention.days(JsonView(settings.empty() ? std::string_view("{}") : settings));
}

std::string_view deletion_setting(std::string_view layout) {
  const AgentHome* const home = home_of_layout(layout);
  return home == nullptr ? std::string_view() : home->retention.setting;
}

}  // namespace holdfast::inline v1
