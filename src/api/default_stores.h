// Which stores this machine has, from the environment and the working directory
// (the contract's table), the same for all doors. The library never looks there
// itself: a door says what is there.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/agents.h"
#include "api/store_settings.h"

namespace holdfast::inline v1 {

// What a process finds around it, as its door sees it.
struct Environment : Machine {
  std::function<std::vector<std::pair<std::string, std::string>>(std::string_view prefix)> variables;
  FileSystem* files = nullptr;  // for configuration; outlives everything made from this
  // Runs a command of the person's for its answer, with a text on its standard input; empty: nothing is run here.
  std::function<Result<std::string>(const Context& context, const std::string& command, std::string_view input)> run =
      {};
  // How far local time is ahead of UTC then; empty: it is UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
};

// Defaults that exist, the home first; home = the store that the working directory is inside of,
// else $HOLDFAST_HOME, else the data directory. Inside of several at once there are `choices`.
// A store that is named (LAYOUT:ROOT) takes the place of all of them: by
// $HOLDFAST_STORE, else by `store` in the project's .holdfast/config.toml, else in
// $XDG_CONFIG_HOME/holdfast/config.toml, where relative roots start at the project, or at the directory of the person's
// file.
Result<StoreSettings> default_stores(const Environment& around);
// The same for store.doctor: settings that are refused say so, and there is no store then.
StoreSettings stores_to_examine(const Environment& around);

// The directory of MEMORY.md of a project with workflow state: the one that
// $HOLDFAST_WORKFLOW_MEMORY names, else `workflow.memory` of the configuration
// files, else Claude's auto-memory directory of the project when it exists, else
// empty: the store's own choice. A setting may also name the file itself.
Result<std::string> memory_directory(const Environment& around, const std::string& project);

struct ConfigurationFile {
  std::string path;
  std::string project;  // whose it is, a directory; empty: the person's own
};
// Where configuration may lie, the most wanted first, there or not.
std::vector<ConfigurationFile> configuration_files(const Environment& around);

// An absolute path: relative ones start at the working directory, ~/ at $HOME.
std::string absolute_path(const Environment& around, std::string_view path);
// LAYOUT:ROOT with an absolute root.
// LAYOUT:. of a layout whose root is a project means the project that the directory is inside of.
std::string absolute_store(const Environment& around, std::string_view name);
// The root of a store that a project's configuration names starts at the project, not at its .holdfast.
Environment in_project(Environment beside);

}  // namespace holdfast::inline v1
