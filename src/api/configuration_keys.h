// The table of all keys of config.toml, and which of them a project may set for
// the person who works there. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/default_stores.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {

// A project's configuration is under version control: its author need not be the person whose
// files are written. It may restrict what the person allows, and name places inside the project.
enum class ProjectPermission {
  not_allowed,      // the key concerns all projects
  any_value,        // figures that are only displayed
  only_true,        // a switch that restricts when on
  only_false,       // a switch that restricts when off
  name_directory,   // inside the project
  name_store,       // LAYOUT:ROOT with a root inside the project
  name_record_file  // *.log or *.jsonl inside the project, new or created by Holdfast
};

struct ConfigurationKey {
  std::string_view name;  // KEY or TABLE.KEY
  ProjectPermission project;
  std::string_view help;
};
std::span<const ConfigurationKey> configuration_keys();

// The environment variable that overrides a key: HOLDFAST_STORE for store.
std::string configuration_variable(std::string_view name);

// The keys of a file that are not in the table, and the members of prices.MODEL that are no price.
std::vector<std::string> unknown_keys(std::string_view json);
// The key most similar to the name, if one is similar enough.
std::optional<std::string_view> nearest_key(std::string_view name);
// "there is no setting NAME; did you mean KEY?"
std::string unknown_key_words(std::string_view name);

// The value of a key in a file, as JSON; nothing if the file does not set it.
JsonView configured(std::string_view json, std::string_view name);

// `file` is the configuration of the project in the directory `project`, `json` its
// contents. The error names the key, the file and the reason: unsafe_path for a place outside
// the project, invalid_argument for everything else that a project may not set, including a
// misspelled key (other unknown keys are settings of the project's own store). A place is
// inside if its path is below the project, no symbolic link is on the way, and it is
// not in the repository's own folder (.git).
Result<void> check_project_configuration(const Environment& env, const std::string& project, const std::string& file,
                                         std::string_view json);

}  // namespace holdfast::inline v1
