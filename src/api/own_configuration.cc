#include "api/own_configuration.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "api/configuration.h"
#include "api/configuration_keys.h"
#include "api/settings_file.h"
#include "api/store_switches.h"
#include "base/ascii.h"
#include "disk/resolve.h"
#include "find/prices.h"
#include "text/json_text.h"
#include "text/json_write.h"
#include "text/toml_edit.h"
#include "text/toml_value.h"
#include "text/trim.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kPrices = "prices.";

const ConfigurationKey* find_key(std::string_view name) {
  const auto keys = configuration_keys();
  const auto found = std::ranges::find(keys, name, &ConfigurationKey::name);
  return found == keys.end() ? nullptr : &*found;
}

Failure unknown_key(std::string_view name) { return fail(Code::invalid_argument, unknown_key_words(name)); }

bool is_switch(const ConfigurationKey& key) {
  return key.project == ProjectPermission::only_true || key.project == ProjectPermission::only_false;
}

// Parses a list as written in the file, ["codex", "/srv"], or the same without brackets and quotes.
std::string list_of(std::string_view value) {
  if (value.starts_with('[')) {
    const auto json = toml_to_json("list = " + std::string(value));
    if (const JsonView list = json ? JsonView(*json).find("list") : JsonView(); list.kind() == JsonKind::array)
      return std::string(list.raw());
  }
  JsonWriter list;
  list.begin_array();
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t end = std::min(value.find(',', from), value.size());
    if (const std::string_view one = trim(value.substr(from, end - from)); !one.empty()) list.string(one);
    from = end + 1;
  }
  return list.end_array().take();
}

// Returns the value as JSON; fails if the key cannot have it.
Result<std::string> value_for(const Environment& env, const ConfigurationKey& key, const std::string& value) {
  const auto refuse = [&](std::string_view why) {
    return fail(Code::invalid_argument, std::string(key.name) + " " + std::string(why) + ", not \"" + value + "\"");
  };
  if (is_switch(key)) {
    const std::string word = in_lower_case(value);
    if (word == "true" || word == "1" || word == "yes" || word == "on") return "true";
    if (word == "false" || word == "0" || word == "no" || word == "off") return "false";
    return refuse("must be true or false");
  }
  if (value.empty())
    return fail(Code::invalid_argument, std::string(key.name) + " needs a value; run holdfast config unset " +
                                            std::string(key.name) + " to remove it");
  if (key.project == ProjectPermission::name_store) HOLDFAST_TRY(parse_store_name(absolute_store(env, value)));
  if (key.name == "prices")
    return fail(Code::invalid_argument,
                "prices has a table for each model: set prices.MODEL.input, .output, "
                ".cache_read or .cache_write");
  if (key.name == "archive.keep_days") {
    std::uint32_t days = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), days);
    if (error != std::errc{} || end != value.data() + value.size()) return refuse("must be a number of days");
    return std::to_string(days);
  }
  if (key.name == "archive.exclude") return list_of(value);
  return JsonWriter().string(value).take();
}

struct SettingPlace {
  std::vector<std::string> steps;
  std::string json;  // the value; empty to remove it
};

// prices.MODEL.FIELD: the model may have dots in its name, and be quoted as in TOML.
std::vector<std::string> price_steps(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  std::string model(dot > kPrices.size() ? name.substr(kPrices.size(), dot - kPrices.size()) : "");
  const bool quoted =
      model.size() > 2 && (model.front() == '"' || model.front() == '\'') && model.back() == model.front();
  if (quoted) model = model.substr(1, model.size() - 2);
  return {"prices", model, std::string(name.substr(dot + 1))};
}

Result<SettingPlace> price_place(std::string_view name, const std::optional<std::string>& value) {
  SettingPlace place{price_steps(name), {}};
  const auto known = std::ranges::find(kPriceFigures, place.steps[2], &PriceFigure::name);
  if (place.steps[1].empty() || known == std::end(kPriceFigures)) return unknown_key(name);
  if (!value) return place;
  double number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc{} || end != value->data() + value->size() || number < 0)
    return fail(Code::invalid_argument,
                "a price must be a number, in US dollars per million tokens, not \"" + *value + "\"");
  place.json = JsonWriter().number(number).take();
  return place;
}

Result<SettingPlace> place_of(const Environment& env, std::string_view name, const std::optional<std::string>& value) {
  if (name.starts_with(kPrices)) {
    auto place = price_place(name, value);
    if (place || value) return place;
  }
  const ConfigurationKey* const key = find_key(name);
  if (key == nullptr) {
    // An unknown key, which every command warns about, can be removed.
    HOLDFAST_LET(unknown, unknown_settings(env));
    if (value || std::ranges::find(unknown, name) == unknown.end()) return unknown_key(name);
  }
  if (name.starts_with(kPrices)) return SettingPlace{price_steps(name), {}};
  SettingPlace place;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('.', from), name.size());
    place.steps.emplace_back(name.substr(from, end - from));
    from = end + 1;
  }
  if (!value) return place;
  HOLDFAST_LET(json, value_for(env, *key, *value));
  place.json = std::move(json);
  return place;
}

// Fails if a command would refuse to read the value.
Result<void> check_readable(const Environment& env, const std::string& path, const SettingPlace& place) {
  const std::vector<JsonStep> steps(place.steps.begin(), place.steps.end());
  HOLDFAST_LET(toml, toml_set("", steps, place.json));
  HOLDFAST_LET(json, toml_to_json(toml));
  const Configuration alone = Configuration::of(env, path, std::move(json));
  StoreSettings unused;
  auto read = read_store_switches(alone, unused);
  if (read) return read;
  read.error().path.clear();  // the file itself is not at fault
  return read;
}

// Removes a value, and its table if that becomes empty: an empty [prices.MODEL] has no meaning.
Result<std::string> without(const std::string& toml, const std::vector<std::string>& names) {
  std::vector<JsonStep> steps(names.begin(), names.end());
  HOLDFAST_LET(left, toml_remove(toml, steps));
  while (left != toml && steps.size() > 1) {
    steps.pop_back();
    HOLDFAST_LET(json, toml_to_json(left));
    JsonView table(json);
    for (std::size_t i = 0; i < steps.size(); ++i) table = table.find(names[i]);
    if (table.kind() != JsonKind::object || !table.fields().empty()) break;
    HOLDFAST_LET(fewer, toml_remove(left, steps));
    left = std::move(fewer);
  }
  return left;
}

}  // namespace

Result<std::vector<OwnSetting>> own_settings(const Environment& env) {
  HOLDFAST_LET(configuration, Configuration::read(env, configuration_files(env)));
  std::vector<OwnSetting> all;
  for (const ConfigurationKey& key : configuration_keys()) {
    OwnSetting setting{std::string(key.name), std::string(key.help), {}, {}};
    const std::string variable = configuration_variable(key.name);
    if (setting.value = env.variable(variable); !setting.value.empty()) setting.from = variable;
    bool valid = false;  // refuses what every command refuses
    if (!setting.from.empty() && is_switch(key)) HOLDFAST_TRY(configuration.flag(key.name, valid));
    for (const auto& [path, json] : configuration.files()) {
      const JsonView value = configured(json, key.name);
      if (!value || !setting.from.empty()) continue;
      setting.value = text_or_json(value);
      setting.from = path;
    }
    all.push_back(std::move(setting));
  }
  return all;
}

namespace {

// One price of one model, from the first file that has it.
Result<OwnSetting> own_price(const Environment& env, std::string_view name) {
  HOLDFAST_LET(place, price_place(name, std::nullopt));
  HOLDFAST_LET(configuration, Configuration::read(env, configuration_files(env)));
  OwnSetting setting{std::string(name), "US dollars per million tokens", {}, {}};
  for (const auto& [path, json] : configuration.files()) {
    const JsonView value = configured(json, "prices").find(place.steps[1]).find(place.steps[2]);
    if (!value || !setting.from.empty()) continue;
    setting.value = text_or_json(value);
    setting.from = path;
  }
  return setting;
}

}  // namespace

Result<OwnSetting> own_setting(const Environment& env, std::string_view name) {
  if (name.starts_with(kPrices)) return own_price(env, name);
  if (find_key(name) == nullptr) return unknown_key(name);
  HOLDFAST_LET(all, own_settings(env));
  return *std::ranges::find(all, name, &OwnSetting::name);
}

Result<std::vector<std::string>> unknown_settings(const Environment& env) {
  HOLDFAST_LET(path, own_configuration_file(env));
  HOLDFAST_LET(toml, read_settings(*env.files, path));
  HOLDFAST_LET(json, configuration_to_json(toml.value_or(""), path));
  return unknown_keys(json);
}

Result<std::string> own_configuration_file(const Environment& env) {
  for (const ConfigurationFile& file : configuration_files(env))
    if (file.project.empty()) return file.path;
  return fail(Code::not_found, "there is no home directory to keep a configuration in");
}

Result<void> check_own_setting(const Environment& env, std::string_view name, const std::optional<std::string>& value) {
  HOLDFAST_LET(place, place_of(env, name, value));
  HOLDFAST_LET(path, own_configuration_file(env));
  if (value) HOLDFAST_TRY(check_readable(env, path, place));
  HOLDFAST_LET(before, read_settings(*env.files, path));
  HOLDFAST_TRY(configuration_to_json(before.value_or(""), path));
  return {};
}

Result<void> set_own_setting(const Environment& env, std::string_view name, const std::optional<std::string>& value) {
  HOLDFAST_LET(place, place_of(env, name, value));
  HOLDFAST_LET(path, own_configuration_file(env));
  if (value) HOLDFAST_TRY(check_readable(env, path, place));
  const std::vector<JsonStep> steps(place.steps.begin(), place.steps.end());
  return change_settings_file(*env.files, resolve_path(path), value.has_value(),
                              [&](const std::string& before) -> Result<std::string> {
                                HOLDFAST_TRY(configuration_to_json(before, path));
                                return value ? toml_set(before, steps, place.json) : without(before, place.steps);
                              });
}

}  // namespace holdfast::inline v1
