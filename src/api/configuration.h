// The configuration files, read once. A setting comes from the environment, else from
// the first file that has it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/default_stores.h"

namespace holdfast::inline v1 {

struct ConfiguredValue {
  std::string text;  // of a string or a boolean; empty if not set
  std::string base;  // where relative paths start: the working directory, or that of the file
  std::string from;  // the variable or the file
};

// Returns a settings file as text; nullopt if there is none. Fails with too_large if it is
// over 1 MiB, and with unsafe_path if it is not a plain file: never waits for a FIFO or device.
Result<std::optional<std::string>> read_settings(FileSystem& files, const std::string& path);

// The contents of a settings file as JSON. Fails with invalid_argument if it is not TOML; the error names the file, the
// line and the cause.
Result<std::string> configuration_to_json(std::string_view toml, const std::string& path);

class Configuration {
 public:
  // Skips missing files. Fails with invalid_argument if a file is not TOML, and if a project's file
  // sets what a project must not set (configuration_keys.h), even if that setting is never used. Fails with the
  // system's error if a file cannot be read.
  static Result<Configuration> read(const Environment& env, const std::vector<ConfigurationFile>& files);

  // The contents of one file, given as JSON, without environment variables.
  static Configuration of(Environment env, std::string path, std::string json);

  // `name` must be in the table of keys. $HOLDFAST_REDACT_INPUTS overrides `redact_inputs`,
  // $HOLDFAST_WORKFLOW_MEMORY overrides `workflow.memory`.
  Result<ConfiguredValue> find(std::string_view name) const;
  // An absolute path; a LAYOUT:ROOT with an absolute root. Empty if not set.
  Result<std::string> path(std::string_view name) const;
  Result<std::string> store(std::string_view name) const;
  // Sets `into` if the setting is set: true, false, 1 or 0.
  Result<void> flag(std::string_view name, bool& into) const;
  // Paths of the files and their contents as JSON, highest priority first.
  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }

 private:
  explicit Configuration(const Environment& env) : env_(env) {}
  Environment beside(const ConfiguredValue& value) const;
  Environment env_;
  std::vector<std::pair<std::string, std::string>> files_;  // path, JSON
};

}  // namespace holdfast::inline v1
