// credential.*: keys of model providers. No answer ever holds one.
#include "api/records.h"
#include "api/tables.h"
#include "rules/runs/credentials.h"

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

Result<std::string> remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_TRY(remove_credential(call.context, *store, call.text("id")));
  return answer_deleted(call.text("id"));
}

Result<std::string> would_remove(Call& call) {
  HOLDFAST_LET(store, call.store());
  return "delete the key of " + call.text("id") + " from " + store->name();
}

}  // namespace

std::span<const Operation> credential_operations() {
  static const Parameter id = record_id_parameter("id of the model or provider");
  static const std::vector<Operation> all{
      {.method = "credential.set",
       .help = "keep a key; it is never shown again",
       .use = Use::create,
       .parameters = {id, {.name = "api_key", .help = "the key", .required = true, .secret = true}},
       .result = "id:string api_key:string",
       .handler = set,
       .example = "credential set gemini-flash --api-key - < key.txt"},
      {.method = "credential.list",
       .help = "list whose keys are kept, without the keys",
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
