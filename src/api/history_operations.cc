// history.*: everything typed, across all sessions of a store.
#include <algorithm>

#include "api/find_session.h"
#include "api/records.h"
#include "api/tables.h"
#include "rules/upkeep/prompt_history.h"

namespace holdfast::inline v1 {
namespace {

Result<std::string> append(Call& call) {
  HOLDFAST_LET(store, call.store());
  Prompt prompt;
  prompt.display = call.text("display");
  if (call.has("pasted")) prompt.pasted = call.json("pasted");
  prompt.timestamp = call.text("timestamp");
  prompt.project = call.project();
  if (call.has("session")) {
    HOLDFAST_LET(session, session_reference(call, *store, call.text("session")));
    prompt.session_id = std::move(session);
  }
  HOLDFAST_TRY(append_prompt(call.context, *store, prompt));
  return begin_answer().key("durability").string("power").end_object().take();
}

std::string spelled(const Prompt& prompt) {
  JsonWriter json;
  json.begin_object().key("display").string(prompt.display).key("pasted").raw(prompt.pasted);
  json.key("timestamp").string(prompt.timestamp).key("project").string(prompt.project);
  return json.key("session").string(prompt.session_id).end_object().take();
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  std::string session;
  if (call.has("session")) {
    HOLDFAST_LET(named, session_reference(call, *store, call.text("session")));
    session = std::move(named);
  }
  HOLDFAST_LET(prompts, list_prompts(call.context, *store, {call.project(), session}));
  RecordList all;
  for (const Prompt& prompt : prompts.prompts) all.records.push_back(spelled(prompt));
  all.findings = std::move(prompts.findings);
  return answer_records(call, "prompts", all);
}

}  // namespace

std::span<const Operation> history_operations() {
  static const Parameter session{.name = "session", .help = "an id, a prefix of one, @last, or LAYOUT/ID"};
  static const std::vector<Operation> all{
      {.method = "history.append",
       .help = "record a prompt",
       .use = Use::create,
       .parameters = {{.name = "display", .help = "the prompt as typed", .required = true, .positional = true},
                      session,
                      project_parameter(false),
                      {.name = "pasted", .help = "pasted contents, by number", .type = ParamType::object},
                      {.name = "timestamp", .help = "time of the prompt (default: now)"}},
       .result = "durability:string",
       .handler = append,
       .example = "history append \"fix the parser\" --project ."},
      {.method = "history.list",
       .help = "list recorded prompts, newest first",
       .parameters = {project_parameter(false), session, limit_parameter(), skip_parameter()},
       .result = "prompts:prompt[] total:integer next:integer? findings:finding[]",
       .handler = list,
       .example = "history list --limit 20"},
  };
  return all;
}

}  // namespace holdfast::inline v1
