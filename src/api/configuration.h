// The configuration files, read once: what the first of them that speaks of a setting
// says, or a variable of the environment before all of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/default_stores.h"

namespace holdfast::inline v1 {

struct ConfiguredValue {
  std::string text;  // of a string or a boolean; empty: nobody says
  std::string base;  // where relative paths start: the working directory, or that of the file
  std::string from;  // the variable or the file
};

// A file of settings as text; nullopt: there is none. It is a plain file of at most 1 MiB,
// or unsafe_path or too_large names it: nobody's FIFO or device is waited for.
Result<std::optional<std::string>> read_settings(FileSystem& files, const std::string& path);

class Configuration {
 public:
  // Files that are not there say nothing. invalid_argument names one that is no TOML; what
  // a project must not say (configuration_keys.h) is refused, whether anybody asks for it or not.
  static Result<Configuration> read(const Environment& around, const std::vector<ConfigurationFile>& files);

  // What one file says, as JSON, and no variable of the environment.
  static Configuration of(Environment around, std::string path, std::string json);

  // `name` is in the table of keys. $HOLDFAST_REDACT_INPUTS goes before `redact_inputs`,
  // $HOLDFAST_WORKFLOW_MEMORY before `workflow.memory`.
  Result<ConfiguredValue> find(std::string_view name) const;
  // An absolute path; a LAYOUT:ROOT with an absolute root. Empty: nobody says.
  Result<std::string> path(std::string_view name) const;
  Result<std::string> store(std::string_view name) const;
  // Sets `into` when somebody says it: true, false, 1 or 0.
  Result<void> flag(std::string_view name, bool& into) const;
  // Their paths and contents as JSON, the most wanted first.
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }

 private:
  explicit Configuration(const Environment& around) : around_(around) {}
  Environment beside(const ConfiguredValue& value) const;
  Environment around_;
  std::vector<std::pair<std::string, std::string>> files_;  // path, JSON
};

}  // namespace holdfast::inline v1
