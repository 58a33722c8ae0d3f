#include "api/configuration.h"

#include <algorithm>

#include "api/configuration_keys.h"
#include "api/new_file.h"
#include "disk/real_file_system.h"
#include "text/json_value.h"
#include "text/toml_value.h"

namespace holdfast::inline v1 {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::string_view kUnreadable = "the configuration cannot be read: ";

// Also opens a folder of root that nobody else can write to: systems install settings for their users.
Result<std::unique_ptr<Directory>> open_settings_folder(FileSystem& files, const std::string& folder) {
  auto own = files.open_directory(folder, false);
  auto* const foreign = dynamic_cast<OpensForeign*>(&files);
  if (own || own.error().code == Code::not_found || foreign == nullptr) return own;
  constexpr std::uint32_t kWritableByOthers = 0022;
  const SplitPath place = split_path(folder);
  HOLDFAST_LET(parent, foreign->open_to_read(place.folder));
  const auto stat = parent->stat_to_read(place.name);
  if (!stat || stat->owner != 0 || (stat->mode & kWritableByOthers) != 0) return own;
  return foreign->open_to_read(folder);
}

// Refuses links in a project: their targets may not belong to the project.
Result<void> check_no_link(Directory& project, const std::string& file) {
  for (const std::string_view name : {".holdfast", ".holdfast/config.toml"}) {
    const auto stat = project.stat(name);
    if (stat && stat->kind == FileKind::symlink)
      return fail(Code::unsafe_path, "a project's configuration must not be a symbolic link", file);
  }
  return {};
}

Result<std::optional<std::string>> read_settings(Directory& directory, std::string_view name, const std::string& path) {
  auto file = directory.open(name, OpenMode::read);
  if (!file && file.error().code == Code::not_found) return std::nullopt;
  if (!file) return fail(std::move(file).error());
  std::string text(kMaxBytes + 1, '\0');
  HOLDFAST_LET(count, (*file)->read_at(0, text));
  if (count > kMaxBytes) return fail(Code::too_large, "a configuration must be at most 1 MiB", path);
  text.resize(count);
  return text;
}

Result<std::optional<std::string>> read_file(FileSystem& files, const ConfigurationFile& file) {
  if (file.project.empty()) return read_settings(files, file.path);
  // It may be a project of another user: a project's configuration is never trusted.
  auto project = open_folder_for_file(files, file.project);
  if (!project && project.error().code == Code::not_found) return std::nullopt;
  if (!project) return fail(std::move(project).error());
  HOLDFAST_TRY(check_no_link(**project, file.path));
  return read_settings(**project, ".holdfast/config.toml", file.path);
}

}  // namespace

Result<std::optional<std::string>> read_settings(FileSystem& files, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (!path.starts_with('/')) return std::nullopt;
  auto directory = open_settings_folder(files, slash == 0 ? "/" : path.substr(0, slash));
  if (!directory && directory.error().code == Code::not_found) return std::nullopt;
  if (!directory) return fail(std::move(directory).error());
  return read_settings(**directory, path.substr(slash + 1), path);
}

Result<std::string> configuration_to_json(std::string_view toml, const std::string& path) {
  auto json = toml_to_json(toml);
  if (json) return json;
  return fail(Code::invalid_argument, std::string(kUnreadable) + json.error().message, path);
}

Result<Configuration> Configuration::read(const Environment& env, const std::vector<ConfigurationFile>& files) {
  Configuration configuration(env);
  for (const ConfigurationFile& file : files) {
    const auto toml = read_file(*env.files, file);
    if (!toml)
      return fail(
          {toml.error().code, std::string(kUnreadable) + toml.error().message, file.path, toml.error().os_error});
    if (!*toml) continue;
    HOLDFAST_LET(json, configuration_to_json(**toml, file.path));
    if (!file.project.empty()) HOLDFAST_TRY(check_project_configuration(env, file.project, file.path, json));
    configuration.files_.emplace_back(file.path, std::move(json));
  }
  return configuration;
}

Configuration Configuration::of(Environment env, std::string path, std::string json) {
  env.variable = [](std::string_view) { return std::string(); };
  Configuration configuration(env);
  configuration.files_.emplace_back(std::move(path), std::move(json));
  return configuration;
}

Result<ConfiguredValue> Configuration::find(std::string_view name) const {
  if (std::ranges::find(configuration_keys(), name, &ConfigurationKey::name) == configuration_keys().end())
    return fail(Code::internal, std::string(name) + " is not in the table of configuration keys");
  const std::string variable = configuration_variable(name);
  if (std::string value = env_.variable(variable); !value.empty())
    return ConfiguredValue{std::move(value), env_.directory, variable};
  for (const auto& [path, json] : files_) {
    const JsonView value = configured(json, name);
    if (!value) continue;
    const std::string base = path.substr(0, path.rfind('/'));
    if (auto text = value.as_string()) return ConfiguredValue{std::move(*text), base, path};
    if (const auto flag = value.as_bool()) return ConfiguredValue{*flag ? "true" : "false", base, path};
    return fail(Code::invalid_argument,
                std::string(name) + " must be written in quotes, not as a number, a list or a table", path);
  }
  return ConfiguredValue{};
}

Environment Configuration::beside(const ConfiguredValue& value) const {
  Environment there = env_;
  there.directory = value.base;
  return there;
}

Result<std::string> Configuration::path(std::string_view name) const {
  HOLDFAST_LET(found, find(name));
  return found.text.empty() ? std::string() : absolute_path(beside(found), found.text);
}

Result<std::string> Configuration::store(std::string_view name) const {
  HOLDFAST_LET(found, find(name));
  return found.text.empty() ? std::string() : absolute_store(in_project(beside(found)), found.text);
}

Result<void> Configuration::flag(std::string_view name, bool& into) const {
  HOLDFAST_LET(found, find(name));
  if (found.from.empty()) return {};  // an empty text is no switch either: it would set aside what another file says
  if (found.text != "true" && found.text != "false" && found.text != "1" && found.text != "0")
    return fail(Code::invalid_argument, std::string(name) + " must be true or false, not \"" + found.text + "\"",
                found.from);
  into = found.text == "true" || found.text == "1";
  return {};
}

}  // namespace holdfast::inline v1
