// The one table of what config.toml may say, and how much of it a project may say for
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

// A project's configuration is checked in: whoever wrote it is not the person whose
// files are written. It may narrow what the person allows, and name places inside the project.
enum class ProjectMay {
  say_nothing,      // it is about all projects
  say_anything,     // figures, which nothing is done with
  say_true,         // the narrow side of a switch
  say_false,        // the same, where off is the narrow side
  name_directory,   // inside the project
  name_store,       // LAYOUT:ROOT with a root inside the project
  name_record_file  // *.log or *.jsonl inside the project, new or one that Holdfast began
};

struct ConfigurationKey {
  std::string_view name;  // KEY or TABLE.KEY
  ProjectMay project;
  std::string_view help;
};
std::span<const ConfigurationKey> configuration_keys();

// Keys of a file that are not in the table.
std::vector<std::string> unknown_keys(std::string_view json);
// The key that is nearest to the name, if one is near.
std::optional<std::string_view> key_meant(std::string_view name);
// "there is no setting NAME; did you mean KEY?"
std::string unknown_key_words(std::string_view name);

// What a file says of a key, as JSON; nothing when it does not speak of it.
JsonView configured(std::string_view json, std::string_view name);

// `file` is the configuration of the project in the directory `project`, `json` what it
// says. The error names the key, the file and the reason: unsafe_path for a place outside
// the project, invalid_argument for everything else that a project may not say, a key that is
// misspelled among it (others that are not known are settings of the project's own store). A place is
// inside when it is below the project by name, no symbolic link is on the way, and it is
// not in the repository's own folder (.git).
Result<void> check_project_configuration(const Environment& around, const std::string& project, const std::string& file,
                                         std::string_view json);

}  // namespace holdfast::inline v1
