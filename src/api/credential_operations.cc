// credential.*: keys of model providers. No answer ever contains a key.
#include "api/records.h"
#include "api/tables.h"
#include "rules/runs/config.h"
#include "rules/runs/credentials.h"
#include "store/engine.h"
#include "store/record_lookup.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> set(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(set_credential(call.context, *store, call.text("id"), call.text("api_key")));
  return begin_answer().key("id").string(call.text("id")).key("api_key").string("***").end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(credentials, list_credentials(call.context, *store));
  HOLDFAST_LET(warning, credentials_in_git(call.context, *call.stores.settings().files, *store));
  if (warning) credentials.findings.push_back(std::move(*warning));
  return answer_records(call, "credentials", credentials);
}

// Where a program would find the key: configuration, then the store, then the environment. Never returns the key.
Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  // Before its configuration is read, which in a layout without keys may have another format.
  HOLDFAST_LET(files, engine_of(*store));
  HOLDFAST_TRY(shape_of_kind(files->layout(), "credential"));
  const StoreSettings& door = call.stores.settings();
  const std::string id = call.text("id");
  HOLDFAST_LET(config, find_config(call.context, *door.files,
                                   config_places(*store, door.variable, door.directory, door.person)));
  KeySources sources;
  if (config) sources.configured = configured_key(config->json, id);
  sources.environment = [&](std::string_view name) -> std::optional<std::string> {
    std::string value = door.variable ? door.variable(name) : std::string();
    return value.empty() ? std::nullopt : std::optional(std::move(value));
  };
  HOLDFAST_LET(key, find_api_key(call.context, *store, id, sources));
  JsonWriter json = begin_answer();
  json.key("id").string(id).key("api_key").string("***").key("source").string(key.source).key("file");
  key.source == "config" ? json.string(config->path) : json.null();
  return json.end_object().take();
}

Result<void> check_id(const Call& call) {
  if (!call.text("id").empty()) return {};
  return fail(Code::invalid_argument, std::string(call.operation.method) + ": id must not be empty");
}

Result<std::string> remove(Call& call) {
  HOLDFAST_TRY(check_id(call));
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(remove_credential(call.context, *store, call.text("id")));
  return answer_deleted(call.text("id"));
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_TRY(check_id(call));
  HOLDFAST_LET(store, call.store());
  return "delete the key of " + call.text("id") + " from " + store->name();
}

}  // namespace

std::span<const Operation> credential_operations() {
  static const Parameter id = record_id_parameter("id of the model or provider");
  static const std::vector<Operation> all{
      {.method = "credential.set",
       .help = "store a key; it is never shown again",
       .use = Use::create,
       .parameters = {id, {.name = "api_key", .help = "the key", .required = true, .secret = true}},
       .result = "id:string api_key:string",
       .handler = set,
       .example = "credential set gemini-flash --api-key - < key.txt"},
      {.method = "credential.get",
       .help = "show where the key of a model comes from (the configuration, this store or the environment), never the "
               "key itself",
       .parameters = {id},
       .result = "id:string api_key:string source:string file:string?",
       .handler = get,
       .example = "credential get gemini-flash"},
      {.method = "credential.list",
       .help = "list the stored keys by id, without the keys themselves",
       .parameters = {limit_parameter(), skip_parameter()},
       .result = "credentials:record[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "credential list"},
      {.method = "credential.remove",
       .help = "delete a key",
       .use = Use::write,
       .parameters = {id},
       .result = "id:string deleted:boolean",
       .handler = remove,
       .preview = would_remove,
       .example = "credential remove gemini-flash --yes"},
  };
  return all;
}

}  // namespace holdfast::inline v1
