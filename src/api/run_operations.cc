// run.*: runs of agents: who worked, for whom, and how it ended.
#include "api/find_session.h"
#include "api/tables.h"
#include "api/typed_records.h"
#include "base/error_words.h"
#include "base/safe_name.h"
#include "rules/runs/runs.h"

namespace holdfast::inline v1 {
namespace {

// The session that the call names; empty if none.
Result<std::string> session_named(const Call& call, Store& store) {
  return call.has("session") ? session_reference(call, store, call.text("session")) : std::string();
}

Result<std::string> start(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(session, session_named(call, *store));
  if (call.has("parent") && !is_plain_name(call.text("parent")))
    return fail(Code::unsafe_path, "not the id of a run: " + call.text("parent"));
  HOLDFAST_LET(run, start_run(call.context, *store,
                              {.project = call.project(),
                               .agent = call.text("agent"),
                               .kind = call.text("agent_kind"),
                               .session = std::move(session),
                               .parent = call.text("parent"),
                               .detail = call.text("detail")}));
  auto owned = call.stores.own_run(call.context, *store, run.project, run.id);
  JsonWriter json = begin_answer();
  json.key("run").raw(json_of(run)).key("owner").string(owned && *owned ? "this" : "none");
  if (!owned) json.key("warnings").strings({"the run has no owner: " + error_words(owned.error())});
  return json.end_object().take();
}

Result<std::string> finish(Call& call) {
  HOLDFAST_LET(store, call.store());
  RunChange change;
  change.status = call.has("status") ? call.text("status") : "completed";
  change.detail = call.maybe_text("detail");
  change.ended_at = call.maybe_text("ended_at");
  HOLDFAST_LET(before, get_run(call.context, *store, call.project(), call.text("id")));
  HOLDFAST_TRY(call.stores.check_run_free(*store, before.id));
  HOLDFAST_LET(run, update_run(call.context, *store, call.project(), call.text("id"), change));
  // The run has ended, even if its lease cannot be released.
  if (run.status != RunStatus::running) (void)call.stores.release_run(call.context, *store, run.id);
  JsonWriter json = begin_answer();
  json.key("run").raw(json_of(run));
  const bool open = before.status == RunStatus::running || before.status == RunStatus::interrupted;
  if (!open && before.status != run.status)
    json.key("warnings").strings({"run " + run.id + " had ended before, with the status " + before.status.text()});
  return json.end_object().take();
}

Result<std::string> get(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(run, get_run(call.context, *store, call.project(), call.text("id")));
  return answer_record("run", json_of(run));
}

Result<std::string> list(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(session, session_named(call, *store));
  const RunFilter filter{call.project(), session, call.text("agent"), call.text("parent"), call.text("status")};
  HOLDFAST_LET(runs, list_runs(call.context, *store, filter));
  return answer_records(call, "runs", runs);
}

Result<std::string> children(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(runs, list_run_children(call.context, *store, call.project(), call.text("id")));
  return answer_records(call, "runs", runs);
}

Result<std::string> cancel(Call& call) {
  HOLDFAST_LET(store, call.store());
  HOLDFAST_LET(count, cancel_run(call.context, *store, call.project(), call.text("id")));
  (void)call.stores.release_run(call.context, *store, call.text("id"));  // as in finish
  return begin_answer().key("cancelled").uint64(count).end_object().take();
}

constexpr std::string_view kList = "runs:run[] total:integer next:integer? findings:finding[]";

}  // namespace

std::span<const Operation> run_operations() {
  static const Parameter id = record_id_parameter("id of the run");
  static const Parameter detail{.name = "detail", .help = "a note for people"};
  static const std::vector<Operation> all{
      {.method = "run.start",
       .help = "record that an agent started to work; the run belongs to the caller, or its owner, until it ends",
       .use = Use::create,
       .parameters = {project_parameter(true),
                      {.name = "agent", .help = "id of the agent", .required = true},
                      {.name = "agent_kind", .help = "kind of agent"},
                      {.name = "session", .help = "session that the run works in"},
                      {.name = "parent", .help = "run that started this one"},
                      detail},
       .result = "run:run owner:none|this warnings?:string[]",
       .errors = {Code::already_exists},
       .handler = start,
       .example = "run start --project . --agent coder"},
      {.method = "run.finish",
       .help = "record how a run ended; while its owner lives, only the owner can",
       .use = Use::write,
       .parameters = {id,
                      project_parameter(true),
                      {.name = "status",
                       .help = "final status (default completed)",
                       .words = {"completed", "failed", "cancelled", "running"}},
                      detail,
                      {.name = "ended_at", .help = "time of the end (default: now)"}},
       .result = "run:run",
       .handler = finish,
       .aliases = {{"update_run", {{"run_id", "id"}, {"repo_path", "project"}}}},
       .example = "run finish run-coder-1 --project . --status failed"},
      {.method = "run.get",
       .help = "show a run",
       .parameters = {id, project_parameter(true)},
       .result = "run:run",
       .handler = get,
       .example = "run get run-coder-1 --project ."},
      {.method = "run.list",
       .help = "list runs, newest first",
       .parameters = {project_parameter(false),
                      {.name = "session", .help = "only runs of this session"},
                      {.name = "agent", .help = "only runs of this agent"},
                      {.name = "parent", .help = "only runs started by this run"},
                      {.name = "status",
                       .help = "only runs with this status",
                       .words = {"running", "interrupted", "completed", "failed", "cancelled"}},
                      limit_parameter(),
                      skip_parameter()},
       .result = kList,
       .handler = list,
       .aliases = {{"list_runs", {{"repo_path", "project"}, {"session_id", "session"}, {"agent_id", "agent"}}}},
       .example = "run list --status running"},
      {.method = "run.children",
       .help = "list what a run started, oldest first",
       .parameters = {id, project_parameter(true), limit_parameter(), skip_parameter()},
       .result = kList,
       .handler = children,
       .aliases = {{"list_children", {{"run_id", "id"}, {"repo_path", "project"}}}},
       .example = "run children run-coder-1 --project ."},
      {.method = "run.cancel",
       .help = "cancel a run and everything it started that is still running",
       .use = Use::write,
       .parameters = {id, project_parameter(true)},
       .result = "cancelled:integer",
       .handler = cancel,
       .example = "run cancel run-coder-1 --project ."},
  };
  return all;
}

}  // namespace holdfast::inline v1
