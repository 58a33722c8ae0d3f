// Upkeep of a session (session.compact, session.clear) and of a store's own configuration (config.*).
#include "api/call.h"
#include "api/find_session.h"
#include "api/records.h"
#include "api/redacted_config.h"
#include "api/tables.h"
#include "rules/runs/config.h"
#include "rules/upkeep/compaction.h"
#include "rules/upkeep/history.h"
#include "store/cleared.h"
#include "store/engine.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> compact(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_TRY(call.stores.check_free(*found.store, found.session.id));
  Compaction request;
  request.summary = call.text("summary");
  if (call.has("trigger")) request.trigger = call.text("trigger");
  request.pre_tokens = call.integer("pre_tokens", 0);
  request.model = call.text("model");
  HOLDFAST_TRY(call.stores.flush(call.context, found.store->name(), found.session.id));  // the summary comes after it
  HOLDFAST_LET(done, compact_session(call.context, *found.store, found.session.id, request));
  JsonWriter json = begin_answer();
  json.key("id").string(found.session.id).key("boundary").string(done.boundary);
  return json.key("summary").string(done.summary).end_object().take();
}

Result<std::string> clear(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_TRY(call.stores.flush(call.context, found.store->name(), found.session.id));  // it is kept with the old log
  HOLDFAST_LET(lines, clear_session(call.context, *found.store, found.session.id, call.stores.claim()));
  JsonWriter json = begin_answer();
  return json.key("id").string(found.session.id).key("cleared").uint64(lines).end_object().take();
}

Result<std::string> would_clear(Call& call) {
  HOLDFAST_LET(found, find_session(call, call.text("id")));
  HOLDFAST_LET(engine, engine_of(*found.store));
  const std::shared_ptr<Root>& root = engine->roots().first();
  return "empty session " + found.session.id + " of " + found.session.store + " (" +
         counted(found.session.counts.records, "record") + "); the old log is kept in " + root->path() + "/" +
         root->side(kClearedFolder);
}

Result<std::string> get_config(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(config, load_config(call.context, *store));
  return begin_answer().key("config").raw(without_secrets(config)).end_object().take();
}

Result<std::string> set_config(Call& call) {
  HOLDFAST_LET(store, call.store());
  if (holds_placeholder(JsonView(call.json("values"))))
    return fail(Code::invalid_argument, "[redacted: …] is a placeholder for a secret, not a secret");
  if (const auto& check_config = call.stores.settings().check_config)
    HOLDFAST_TRY(check_config(store->name(), call.json("values")));
  HOLDFAST_TRY(save_config(call.context, *store, call.json("values")));
  HOLDFAST_LET(config, load_config(call.context, *store));
  return begin_answer().key("config").raw(without_secrets(config)).end_object().take();
}

}  // namespace

std::span<const Operation> upkeep_operations() {
  static const Parameter id{
      .name = "id", .help = "an id, a prefix of one, @last, or LAYOUT/ID", .required = true, .positional = true};
  static const std::vector<Operation> all{
      {.method = "session.compact",
       .help = "replace the messages so far with a summary; the originals are kept",
       .use = Use::write,
       .parameters = {id,
                      {.name = "summary", .help = "summary of the earlier messages", .required = true},
                      {.name = "trigger",
                       .help = "what triggered the compaction (default manual)",
                       .words = {"manual", "auto"}},
                      {.name = "pre_tokens",
                       .help = "tokens in use before the compaction",
                       .type = ParamType::integer,
                       .least = 0},
                      {.name = "model", .help = "the model that wrote the summary"}},
       .result = "id:string boundary:string summary:string",
       .handler = compact,
       .example = "session compact k7f3 --summary \"The parser was fixed\""},
      {.method = "session.clear",
       .help = "empty a session; its old log is kept",
       .use = Use::write,
       .parameters = {id},
       .result = "id:string cleared:integer",
       .handler = clear,
       .preview = would_clear,
       .example = "session clear k7f3 --yes"},
      {.method = "config.get",
       .help = "show the configuration inside a store, without its keys and passwords",
       .result = "config:object",
       .handler = get_config,
       .example = "config get"},
      {.method = "config.set",
       .help = "set keys of the configuration inside a store; comments stay",
       .use = Use::create,
       .parameters = {{.name = "values",
                       .help = "keys to set, tables key by key; null removes one",
                       .type = ParamType::object,
                       .required = true}},
       .result = "config:object",
       .handler = set_config,
       .example = "config set --values '{\"redact_inputs\":true}'"},
  };
  return all;
}

}  // namespace holdfast::inline v1
