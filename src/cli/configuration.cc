#include "cli/configuration.h"

#include "text/json_value.h"
#include "text/toml_value.h"

namespace holdfast::inline v1 {

Result<Configuration> Configuration::read(const Surroundings& around, const std::vector<std::string>& files) {
  Configuration configuration(around);
  for (const std::string& path : files) {
    const auto toml = around.read(path);
    if (!toml) continue;
    auto json = toml_to_json(*toml);
    if (!json) return fail(Code::invalid_argument, "the configuration cannot be read: " + json.error().message, path);
    configuration.files_.emplace_back(path, std::move(*json));
  }
  return configuration;
}

Result<ConfiguredValue> Configuration::find(std::string_view name) const {
  std::string variable = "HOLDFAST_";
  for (const char c : name) variable += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : '_';
  if (std::string value = around_.variable(variable); !value.empty())
    return ConfiguredValue{std::move(value), around_.directory, variable};
  const std::size_t dot = name.find('.');
  for (const auto& [path, json] : files_) {
    const JsonView all(json);
    const JsonView value =
        dot == std::string_view::npos ? all.find(name) : all.find(name.substr(0, dot)).find(name.substr(dot + 1));
    if (!value) continue;
    const std::string base = path.substr(0, path.rfind('/'));
    if (auto text = value.as_string()) return ConfiguredValue{std::move(*text), base, path};
    if (const auto flag = value.as_bool()) return ConfiguredValue{*flag ? "true" : "false", base, path};
    return fail(Code::invalid_argument, std::string(name) + " is a text, true or false", path);
  }
  return ConfiguredValue{};
}

Surroundings Configuration::beside(const ConfiguredValue& value) const {
  Surroundings there = around_;
  there.directory = value.base;
  return there;
}

Result<std::string> Configuration::path(std::string_view name) const {
  HOLDFAST_LET(found, find(name));
  return found.text.empty() ? std::string() : absolute_path(beside(found), found.text);
}

Result<std::string> Configuration::store(std::string_view name) const {
  HOLDFAST_LET(found, find(name));
  return found.text.empty() ? std::string() : absolute_store(beside(found), found.text);
}

Result<void> Configuration::flag(std::string_view name, bool& into) const {
  HOLDFAST_LET(found, find(name));
  if (found.text.empty()) return {};
  if (found.text != "true" && found.text != "false" && found.text != "1" && found.text != "0")
    return fail(Code::invalid_argument, std::string(name) + " is true or false, not \"" + found.text + "\"",
                found.from);
  into = found.text == "true" || found.text == "1";
  return {};
}

}  // namespace holdfast::inline v1
