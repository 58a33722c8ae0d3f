// Finds the stores of this machine from the environment and the working directory
// (the contract's table), the same for all doors. The library itself never reads the
// environment: a door passes it in.
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

// The environment of a process, as provided by its door.
struct Environment : Machine {
  std::function<std::vector<std::pair<std::string, std::string>>(std::string_view prefix)> variables;
  FileSystem* files = nullptr;  // for configuration; must outlive everything made from this
  // Runs a command that the person configured, with `input` on its standard input, and returns its output; may be
  // empty, then no command is run.
  std::function<Result<std::string>(const Context& context, const std::string& command, std::string_view input)> run =
      {};
  // How far local time is ahead of UTC at that time; if empty, local time is UTC.
  std::function<std::chrono::seconds(std::chrono::system_clock::time_point)> utc_offset = {};
};

// Default stores that exist, the home first; home = the store that contains the working directory,
// else $HOLDFAST_HOME, else the data directory. If several contain it, they are the `choices`.
// A configured store (LAYOUT:ROOT) replaces all of them: $HOLDFAST_STORE, else
// `store` in the project's .holdfast/config.toml, else in
// $XDG_CONFIG_HOME/holdfast/config.toml. Relative roots start at the project, or at the directory of the person's
// file.
Result<StoreSettings> default_stores(const Environment& env);
// The same for store.doctor: if the settings are invalid, returns no store and the reason in `refused`.
StoreSettings stores_to_examine(const Environment& env);

// The directory of MEMORY.md for a project with workflow state: the one that
// $HOLDFAST_WORKFLOW_MEMORY names, else `workflow.memory` of the configuration
// files, else Claude's auto-memory directory of the project if it exists, else
// empty: then the store chooses. A setting may also name the file itself.
Result<std::string> memory_directory(const Environment& env, const std::string& project);

struct ConfigurationFile {
  std::string path;
  std::string project;  // directory of the project that it belongs to; empty for the person's own
};
// The possible configuration files, highest priority first; they need not exist.
std::vector<ConfigurationFile> configuration_files(const Environment& env);

// Makes a path absolute: relative ones start at the working directory, ~/ at $HOME.
std::string absolute_path(const Environment& env, std::string_view path);
// Makes the root of LAYOUT:ROOT absolute. For a layout whose root is a project, LAYOUT:. is the
// project that contains the working directory.
std::string absolute_store(const Environment& env, std::string_view name);
// Adjusts `beside` for a project's configuration: relative roots start at the project, not at its .holdfast.
Environment in_project(Environment beside);

}  // namespace holdfast::inline v1
