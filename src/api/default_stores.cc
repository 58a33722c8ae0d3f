#include "api/default_stores.h"

#include <algorithm>
#include <optional>

#include "api/configuration.h"
#include "api/configuration_keys.h"
#include "api/store_switches.h"
#include "base/parent_path.h"
#include "layout/layout.h"
#include "store/projects.h"
#include "store/worktree.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kNative = "holdfast";

std::string home_of(const Environment& env) { return env.variable("HOME"); }

std::string native_root(const Environment& env) {
  if (auto project = nearest_with(env, ".holdfast/FORMAT")) return *project + "/.holdfast";
  if (std::string home = env.variable("HOLDFAST_HOME"); !home.empty()) return absolute_path(env, home);
  const std::string data = directory_of(env, "XDG_DATA_HOME", ".local/share");
  return data.empty() ? std::string() : data + "/holdfast";
}

ConfigurationFile project_file(const std::string& project) {
  return {(project == "/" ? "" : project) + "/.holdfast/config.toml", project};
}

std::optional<ConfigurationFile> user_file(const Environment& env) {
  const std::string user = directory_of(env, "XDG_CONFIG_HOME", ".config");
  if (user.empty()) return std::nullopt;
  return ConfigurationFile{user + "/holdfast/config.toml", {}};
}

std::string directory_of_memory(std::string path) {
  constexpr std::string_view kFile = "/MEMORY.md";
  if (path.ends_with(kFile)) path.resize(path.size() - kFile.size());
  return path;
}

StoreOptions store_at(AgentPlace place) {
  StoreOptions options;
  options.layout = std::move(place.layout);
  options.roots[""] = std::move(place.root);
  return options;
}

bool shares_worktrees(std::string_view layout) {
  const Layout* const known = find_layout(layout);
  return known != nullptr && known->traits().shares_worktrees;
}

std::vector<std::string> names_of(const std::vector<AgentPlace>& places) {
  std::vector<std::string> names;
  for (const AgentPlace& place : places) names.push_back(place.layout + ":" + place.root);
  return names;
}

std::vector<AgentPlace> places_from(Environment env, std::string directory) {
  env.directory = std::move(directory);
  return places_here(env);
}

// Like places_here; a worktree also has the stores of its main directory that worktrees share.
std::vector<AgentPlace> places_here_or_shared(const Environment& env) {
  std::vector<AgentPlace> here = places_here(env);
  const std::string tree = nearest_with(env, ".git").value_or("");
  const std::string main = tree.empty() ? tree : main_directory_of(*env.files, tree);
  if (main == tree) return here;
  std::vector<AgentPlace> shared = places_from(env, main);
  std::erase_if(shared, [&](const AgentPlace& one) { return !shares_worktrees(one.layout) || one.root != main; });
  if (shared.empty()) return here;
  const auto names = names_of(here);
  if (names == names_of(places_from(env, std::string(absolute_parent(tree))))) return shared;  // `here` is above it
  if (names == names_of(places_from(env, tree))) here.insert(here.end(), shared.begin(), shared.end());
  return here;
}

// Makes the store that contains the working directory the home, instead of the person's store, for reading
// and writing (decision 55).
void prefer_here(const Environment& env, StoreSettings& settings) {
  std::vector<AgentPlace> here = places_here_or_shared(env);
  for (const AgentPlace& place : here)
    if (here.size() > 1) settings.choices.push_back(place.layout + ":" + place.root);
  settings.here = here.size() == 1;
  if (settings.here) settings.home = store_at(std::move(here.front()));
}

// The home first, and each store once.
std::vector<StoreOptions> existing_stores(const Environment& env, const StoreOptions& home) {
  std::vector<StoreOptions> found;
  const auto add = [&](StoreOptions one) {
    const auto same = [&](const StoreOptions& other) { return store_name(other) == store_name(one); };
    if (std::ranges::none_of(found, same)) found.push_back(std::move(one));
  };
  if (home.layout != kNative) add(home);
  if (const std::string root = native_root(env); !root.empty() && env.exists(root + "/FORMAT"))
    add(store_at({std::string(kNative), root}));
  for (AgentPlace& place : agent_places(env)) {
    if (shares_worktrees(place.layout)) place.root = main_directory_of(*env.files, place.root);
    add(store_at(std::move(place)));
  }
  return found;
}

StoreSettings for_reports(const Environment& env) {
  StoreSettings settings;
  settings.files = env.files;
  settings.utc_offset = env.utc_offset;
  settings.variable = env.variable;
  settings.directory = env.directory;
  settings.person = home_of(env);
  for (const ConfigurationFile& file : configuration_files(env))
    if (env.exists(file.path)) settings.configured_by.push_back(file.path);
  return settings;
}

}  // namespace

StoreSettings stores_to_examine(const Environment& env) {
  auto settings = default_stores(env);
  if (settings) return std::move(*settings);
  StoreSettings none = for_reports(env);
  none.refused = std::move(settings).error();
  return none;
}

Result<StoreSettings> default_stores(const Environment& env) {
  StoreSettings settings = for_reports(env);
  settings.home.layout = kNative;
  if (const std::string root = native_root(env); !root.empty()) settings.home.roots[""] = root;
  HOLDFAST_LET(configuration, Configuration::read(env, configuration_files(env)));
  HOLDFAST_LET(name, configuration.store("store"));  // doors apply flags, which override this
  if (!name.empty()) {
    auto parsed = parse_store_name(name);
    if (!parsed) {
      HOLDFAST_LET(written, configuration.find("store"));
      return fail(parsed.error().code, parsed.error().message, written.from);
    }
    StoreOptions named = std::move(*parsed);
    settings.home = named;
    settings.defaults = {std::move(named)};
  } else {
    prefer_here(env, settings);
    settings.current_defaults = [env, home = settings.home] { return existing_stores(env, home); };
    settings.defaults = settings.current_defaults();
  }
  for (ExtraRoot& place : extra_roots(env)) settings.other_roots[place.layout][place.root] = std::move(place.path);
  if (env.variables) settings.outer.variables = env.variables("LOPEN_");
  if (const std::string user = directory_of(env, "XDG_CONFIG_HOME", ".config"); !user.empty())
    settings.outer.user_file = user + "/lopen/config.json";
  settings.check_config = [env](std::string_view store, std::string_view values) -> Result<void> {
    const std::string_view root = store.substr(store.find(':') + 1);
    constexpr std::string_view kFolder = "/.holdfast";
    if (!store.starts_with("holdfast:") || !root.ends_with(kFolder)) return {};
    const ConfigurationFile file = project_file(std::string(root.substr(0, root.size() - kFolder.size())));
    return check_project_configuration(env, file.project.empty() ? "/" : file.project, file.path, values);
  };
  settings.place_of = [env](std::string_view layout) { return agent_place(env, layout); };
  settings.moved_to = [env](std::string_view layout, std::string_view root) {
    return place_after_move(env, layout, root);
  };
  settings.complete = [env](StoreOptions& store) {
    if (store.layout != "workflow" || store.roots.contains("memory")) return;
    // An unreadable or invalid setting must not stop the work: then the project's own file is used.
    const auto project = store.roots.find("");
    const auto memory = memory_directory(env, project == store.roots.end() ? "" : project->second);
    if (memory && !memory->empty()) store.roots["memory"] = *memory;
  };
  HOLDFAST_TRY(read_store_switches(configuration, settings));
  for (std::string& one : settings.archive_exclude) {
    if (one.starts_with("~/")) one = absolute_path(env, one);
  }
  if (const std::string data = directory_of(env, "XDG_DATA_HOME", ".local/share"); !data.empty())
    settings.archive = data + "/holdfast/archive";
  if (const std::string config = directory_of(env, "XDG_CONFIG_HOME", ".config"); !config.empty())
    settings.user_units = config + "/systemd/user";
  HOLDFAST_LET(summary, configuration.find("summary_command"));
  if (!summary.text.empty() && env.run)
    settings.summarise = [run = env.run, command = summary.text](const Context& context, const std::string& text) {
      return run(context, command, text);
    };
  // A home that does not exist (/nonexistent, as services have) is not created just for a cache.
  const bool has_place = env.variable("XDG_CACHE_HOME").starts_with('/') || env.exists(home_of(env));
  if (const std::string cache = directory_of(env, "XDG_CACHE_HOME", ".cache"); !cache.empty() && has_place)
    settings.cache = cache + "/holdfast";
  return settings;
}

Result<std::string> memory_directory(const Environment& env, const std::string& project) {
  const std::string main = main_directory_of(*env.files, project);
  std::vector<ConfigurationFile> files;
  if (!main.empty()) files.push_back(project_file(main));
  if (auto user = user_file(env)) files.push_back(std::move(*user));
  HOLDFAST_LET(configuration, Configuration::read(env, files));
  HOLDFAST_LET(named, configuration.path("workflow.memory"));
  if (!named.empty()) return directory_of_memory(std::move(named));
  return extra_root_for(env, "workflow", "memory", main);
}

std::vector<ConfigurationFile> configuration_files(const Environment& env) {
  std::vector<ConfigurationFile> files;
  if (const auto project = nearest_with(env, ".holdfast/config.toml")) files.push_back(project_file(*project));
  if (auto user = user_file(env)) files.push_back(std::move(*user));
  return files;
}

std::string absolute_path(const Environment& env, std::string_view path) {
  const std::string home = home_of(env);
  if (!home.empty() && (path == "~" || path.starts_with("~/"))) return home + std::string(path.substr(1));
  if (path.starts_with('/')) return normalize_path(path);
  if (env.directory.empty()) return std::string(path);  // the working directory no longer exists
  return normalize_path(env.directory + "/" + std::string(path));
}

std::string absolute_store(const Environment& env, std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos || colon + 1 == name.size()) return std::string(name);
  const std::string_view root = name.substr(colon + 1);
  std::string path = absolute_path(env, root);
  if (root == ".") path = project_above(env, name.substr(0, colon)).value_or(std::move(path));
  return std::string(name.substr(0, colon + 1)) + path;
}

Environment in_project(Environment beside) {
  constexpr std::string_view kFolder = "/.holdfast";
  if (beside.directory.ends_with(kFolder)) beside.directory.resize(beside.directory.size() - kFolder.size());
  if (beside.directory.empty()) beside.directory = "/";
  return beside;
}

}  // namespace holdfast::inline v1
