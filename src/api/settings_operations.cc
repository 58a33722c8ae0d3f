// store.settings, store.configure: the configuration of a store and of its workflows.
#include <algorithm>

#include "api/configuration_keys.h"
#include "api/redacted_config.h"
#include "api/settings_of.h"
#include "api/suggest.h"
#include "api/tables.h"
#include "layout/layout.h"
#include "rules/runs/config.h"

namespace holdfast::inline v1 {

namespace {

// The door's settings, overridden by the parameter `settings`.
OuterSettings outer_of(const Call& call) {
  OuterSettings outer = call.stores.settings().outer;
  outer.flags = call.json("settings");
  return outer;
}

Failure no_setting(const std::string& name) {
  std::vector<std::string_view> choices;
  for (const SettingRow& row : setting_rows()) choices.push_back(row.name);
  const auto meant = nearest(name, choices);
  return fail(Code::invalid_argument, "there is no setting " + name.substr(0, 60) +
                                          (meant ? "; did you mean " + std::string(*meant) + "?" : ""));
}

// Unknown keys in files belong to other programs; in a call they are misspelled.
Result<void> check_names(JsonView settings) {
  const auto check = [](const std::string& name) -> Result<void> {
    if (find_setting(name) != nullptr) return {};
    return no_setting(name);
  };
  for (const JsonItem& item : settings.fields()) {
    if (item.value.kind() != JsonKind::object) HOLDFAST_TRY(check(item.key()));
    for (const JsonItem& inner : item.value.fields()) HOLDFAST_TRY(check(item.key() + "." + inner.key()));
  }
  return {};
}

}  // namespace

Result<WorkflowSettings> settings_of(const Call& call, Store& store) {
  HOLDFAST_TRY(check_names(call.params.find("settings")));
  return workflow_settings(call.context, store, outer_of(call));
}

Parameter settings_parameter() {
  return {.name = "settings",
          .help = "settings that override files and variables, e.g. {\"auto_resume\":false}",
          .type = ParamType::object};
}

namespace {

bool has_workflows(const Store& store) {
  const Layout* const layout = find_layout(store.layout_name());
  return layout != nullptr && layout->workflow() != nullptr;
}

// Writes the configuration of the store's program, from the first of its places that exists.
Result<void> write_program_settings(JsonWriter& json, const Call& call, const std::vector<std::string>& places) {
  HOLDFAST_LET(found, find_config(call.context, *call.stores.settings().files, places));
  const std::string shown = found ? without_secrets(found->json) : "{}";
  json.key("settings").raw(shown).key("sources").begin_object();
  for (const JsonItem& item : JsonView(shown).fields()) json.key(item.key()).string(found->path);
  json.end_object().key("file");
  found ? json.string(found->path) : json.null();
  return {};
}

// Writes the effective settings, where each comes from, and the store's own file; never keys or passwords.
Result<std::string> answer_settings(const Call& call, Store& store, const OuterSettings& outer) {
  const StoreSettings& door = call.stores.settings();
  const auto places = config_places(store, door.variable, door.directory, door.person);
  std::string own = "{}";
  if (find_layout(store.layout_name())->shape("config") != nullptr) {
    HOLDFAST_LET(written, load_config(call.context, store));
    own = std::move(written);
  }
  JsonWriter json = begin_answer();
  json.key("name").string(store.name());
  if (has_workflows(store)) {
    HOLDFAST_LET(now, workflow_settings(call.context, store, outer));
    json.key("settings").raw(now.json()).key("sources").raw(now.sources_json()).key("file");
    places.empty() || own == "{}" ? json.null() : json.string(places.front());
  } else {
    HOLDFAST_TRY(write_program_settings(json, call, places));
  }
  json.key("places").strings(places);
  return json.key("config").raw(without_secrets(own)).end_object().take();
}

Result<std::string> settings(Call& call) {
  HOLDFAST_LET(store, call.store());
  return answer_settings(call, *store, outer_of(call));
}

// Refuses unknown keys as misspelled, except to remove one that exists. Files of programs whose settings are not known
// may have any key.
Result<void> check_keys(const Call& call, JsonView given) {
  if (given.fields().empty())
    return fail(Code::invalid_argument, "store.configure: settings is empty: there is nothing to set");
  HOLDFAST_LET(meant, call.stores.meant(call.text("store"), {}, Use::create));
  const Layout* const layout = meant.empty() ? nullptr : find_layout(meant.front().layout);
  if (layout == nullptr || layout->workflow() == nullptr) return {};
  const std::vector<std::string> others = unknown_keys(given.raw());
  const auto price = std::ranges::find_if(others, [](const auto& name) { return name.starts_with("prices."); });
  if (layout->name() == "holdfast" && price != others.end())
    return fail(Code::invalid_argument, unknown_key_words(*price));
  const auto check = [&](const std::string& name) -> Result<void> {
    // A native store keeps Holdfast's own settings in the same file.
    const bool ours = layout->name() == "holdfast" && std::ranges::find(others, name) == others.end();
    if (ours || find_setting(name) != nullptr) return {};
    return no_setting(name);
  };
  for (const JsonItem& item : given.fields()) {
    const std::string key = item.key();
    if (item.value.kind() == JsonKind::object) {
      for (const JsonItem& inner : item.value.fields())
        if (!inner.value.is_null()) HOLDFAST_TRY(check(key + "." + inner.key()));
    } else if (!item.value.is_null()) {
      HOLDFAST_TRY(check(key));
    }
  }
  return {};
}

Result<std::string> configure(Call& call) {
  HOLDFAST_TRY(check_keys(call, call.params.find("settings")));
  HOLDFAST_LET(store, call.store());
  if (holds_placeholder(JsonView(call.json("settings"))))
    return fail(Code::invalid_argument, "[redacted: …] is a placeholder for a secret, not a secret");
  // Refuse invalid values before anything is written.
  SettingReader check;
  if (has_workflows(*store)) HOLDFAST_TRY(check.take_json(call.json("settings"), "settings"));
  if (const auto& check_config = call.stores.settings().check_config)
    HOLDFAST_TRY(check_config(store->name(), call.json("settings")));
  if (has_workflows(*store))
    HOLDFAST_TRY(save_workflow_settings(call.context, *store, call.json("settings")));
  else
    HOLDFAST_TRY(save_config(call.context, *store, call.json("settings")));
  return answer_settings(call, *store, call.stores.settings().outer);
}

constexpr std::string_view kResult =
    "name:string settings:object sources:object file:string? places:string[] config:object";

}  // namespace

std::span<const Operation> settings_operations() {
  static const std::vector<Operation> all{
      {.method = "store.settings",
       .help = "show the settings of a store, where each comes from, and its own configuration, without keys",
       .parameters = {settings_parameter()},
       .result = kResult,
       .handler = settings,
       .example = "store settings --store lopen:."},
      {.method = "store.configure",
       .help = "change the store's own configuration; everything else in the file stays",
       .use = Use::create,
       .parameters = {{.name = "settings",
                       .help = "the keys to set; null removes one",
                       .type = ParamType::object,
                       .required = true,
                       .positional = true}},
       .result = kResult,
       .handler = configure,
       .example = "store configure '{\"format\":\"yaml\"}' --store lopen:."},
  };
  return all;
}

}  // namespace holdfast::inline v1
