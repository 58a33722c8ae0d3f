// store.settings, store.configure: the settings of workflows in a store.
#include "api/records.h"
#include "api/settings_of.h"
#include "api/tables.h"

namespace holdfast::inline v1 {

Result<WorkflowSettings> settings_of(const Call& call, Store& store) {
  OuterSettings outer = call.stores.settings().outer;
  outer.flags = call.json("settings");
  return workflow_settings(call.context, store, outer);
}

Parameter settings_parameter() {
  return {.name = "settings",
          .help = "an object that wins over files and variables, e.g. {\"auto_resume\":false}",
          .type = ParamType::object};
}

namespace {

Result<std::string> settings(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(now, settings_of(call, *store));
  JsonWriter json = begin_answer();
  json.key("name").string(store->name()).key("settings").raw(now.json());
  return json.key("sources").raw(now.sources_json()).end_object().take();
}

Result<std::string> configure(Call& call) {
  HOLDFAST_LET(store, call.store());
  // What cannot be is refused before it is written.
  SettingReader check;
  HOLDFAST_TRY(check.take_json(call.json("settings"), "settings"));
  if (const auto& check_config = call.stores.settings().check_config)
    HOLDFAST_TRY(check_config(store->name(), call.json("settings")));
  HOLDFAST_TRY(save_workflow_settings(call.context, *store, call.json("settings")));
  HOLDFAST_LET(now, workflow_settings(call.context, *store, call.stores.settings().outer));
  JsonWriter json = begin_answer();
  json.key("name").string(store->name()).key("settings").raw(now.json());
  return json.key("sources").raw(now.sources_json()).end_object().take();
}

constexpr std::string_view kResult = "name:string settings:object sources:object";

}  // namespace

std::span<const Operation> settings_operations() {
  static const std::vector<Operation> all{
      {.method = "store.settings",
       .help = "the settings of workflows, and where each comes from",
       .parameters = {settings_parameter()},
       .result = kResult,
       .handler = settings,
       .example = "store settings --store lopen:."},
      {.method = "store.configure",
       .help = "change the store's own configuration; everything else in the file stays",
       .use = Use::write,
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
